import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '@parley/stack/config';
import { neededPackages, versionIn } from './needed.ts';

const run = promisify(execFile);

const PACKAGES = ['ejabberd', 'erlang-p1-pgsql'];
/** Leaves out packages that are only recommended. */
const LEFT_OUT = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
const DOWNLOADED_WITHIN_MS = 300_000;

/**
 * The folder with Debian's packages of ejabberd, unpacked: that of the environment, or one in the user's cache, into which they are
 * downloaded first. Nothing is installed. Fails with one sentence that says what to do.
 */
export async function obtainEjabberd(given: string | undefined, signal: AbortSignal): Promise<string> {
  if (given) return path.resolve(given);
  const apt = createApt(signal);
  const version = versionIn(await apt('apt-cache', ['show', '--no-all-versions', 'ejabberd']));
  if (!version)
    throw new Error('apt-get does not know the package ejabberd: run apt-get update as root first.');
  const folder = path.join(readConfig().cacheDir, 'ejabberd', version.replaceAll(/[^\w.+~-]/g, '_'));
  if (existsSync(folder)) return folder;
  process.stderr.write(`downloading ejabberd ${version} and Erlang to ${folder} …\n`);
  await mkdir(path.dirname(folder), { recursive: true });
  const half = await mkdtemp(path.join(path.dirname(folder), 'unpacking-'));
  try {
    await download(apt, half);
    await rename(half, folder).catch((error: unknown) => {
      // Another comparison was first.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return folder;
}

type Apt = (file: string, args: readonly string[], cwd?: string) => Promise<string>;

function createApt(signal: AbortSignal): Apt {
  const env = { ...readConfig().inherited, LC_ALL: 'C.UTF-8' };
  return async (file, args, cwd) => {
    try {
      const options = { env, cwd, signal, timeout: DOWNLOADED_WITHIN_MS, maxBuffer: 2 ** 26 };
      return (await run(file, args, options)).stdout;
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(reasonOf(file, error as NodeJS.ErrnoException & { stderr?: string }), {
        cause: error,
      });
    }
  };
}

function reasonOf(file: string, { code, stderr, message }: NodeJS.ErrnoException & { stderr?: string }) {
  if (code === 'ENOENT')
    return `${file} is not there: compare on Debian or Ubuntu, or name a folder with their unpacked packages of ejabberd in PARLEY_EJABBERD.`;
  const last = stderr?.trim().split('\n').at(-1) ?? message;
  return `${file} failed, and apt-get update as root may help: ${last}`;
}

async function download(apt: Apt, folder: string): Promise<void> {
  const depends = await apt('apt-cache', [
    'depends',
    '--recurse',
    ...LEFT_OUT.map((kind) => `--no-${kind}`),
    ...PACKAGES,
  ]);
  const install = await apt('apt-get', ['install', '--simulate', '--no-install-recommends', ...PACKAGES]);
  const archives = path.join(folder, 'archives');
  await mkdir(archives);
  await apt('apt-get', ['download', ...neededPackages(depends, install)], archives);
  for (const name of await readdir(archives)) await apt('dpkg', ['-x', path.join(archives, name), folder]);
  await rm(archives, { recursive: true });
}
