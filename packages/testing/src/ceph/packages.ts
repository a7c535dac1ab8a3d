import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../config.ts';

const run = promisify(execFile);

export const CEPH_PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'];
const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool'];

export function isCephInstalled({ searchPath } = readConfig()): boolean {
  const folders = [...searchPath, '/usr/bin', '/usr/sbin'];
  return PROGRAMS.every((name) => folders.some((folder) => existsSync(path.join(folder, name))));
}

/** Installs Debian's packages, 266 MB, into the system, only on request. Returns the reason when that fails. */
export async function installCeph(): Promise<string | undefined> {
  if (isCephInstalled()) return undefined;
  if (process.getuid?.() !== 0) return 'Ceph is not installed, and installing it takes root';
  const install = ['install', '-y', '--no-install-recommends', ...CEPH_PACKAGES];
  const env = { ...readConfig().inherited, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', install, { env }).catch(async () => {
      await run('apt-get', ['update'], { env });
      await run('apt-get', install, { env });
    });
    return undefined;
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `Ceph could not be installed: ${line}`;
  }
}
