import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findPostgresBinaries } from './binaries.ts';
import { owner, unprivileged } from './unprivileged.ts';

export type Cluster = { dataDir: string; password: string };

/** Creates the data folder once. One that an interrupted attempt left incomplete is emptied first; it may be a file system of its own. */
export async function initialiseCluster({ dataDir, password }: Cluster): Promise<void> {
  if (await isInitialised(dataDir)) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dataDir))
    await rm(path.join(dataDir, name), { recursive: true, force: true });
  const passwordFile = `${dataDir}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  const as = owner();
  if (as) {
    await chown(dataDir, as.uid, as.gid);
    await chown(passwordFile, as.uid, as.gid);
  }
  try {
    await runInitdb(dataDir, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFile(marker(dataDir), '', { mode: 0o600 });
}

async function isInitialised(dataDir: string): Promise<boolean> {
  return readFile(marker(dataDir)).then(
    () => true,
    () => false,
  );
}

// A file beside the folder, which records that initdb has finished.
function marker(dataDir: string): string {
  return `${dataDir}.initialised`;
}

async function runInitdb(dataDir: string, passwordFile: string): Promise<void> {
  const { initdb } = findPostgresBinaries();
  const args = ['-D', dataDir, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const command = unprivileged({ file: initdb, args: [...args, ...locale, '--no-sync'] }, [dataDir, initdb]);
  const child = spawn(command.file, command.args, {
    cwd: path.parse(dataDir).root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(command.uid !== undefined && { uid: command.uid, gid: command.gid }),
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed: ${(await output).join('\n').trim()}`);
}
