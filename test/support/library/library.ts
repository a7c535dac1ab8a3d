import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import path from 'node:path';

const BUILD = path.resolve(import.meta.dirname, '../../../scripts/library/main.ts');

/** A file of the listing. */
export type ListedFile = {
  name: string;
  url: string;
  latest_url: string;
  bytes: number;
  integrity: string;
  use: string;
};
export type Listing = { version: string; files: ListedFile[] };

/** Brings what the platform hands out up to date, which takes a few seconds. */
export function buildLibrary(): void {
  const { status, stderr } = spawnSync(process.execPath, [BUILD], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the library was not built: ${stderr}`);
}

export async function readListing(baseUrl: string): Promise<Listing> {
  return (await (await fetch(`${baseUrl}/library/`)).json()) as Listing;
}

const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ECONNRESET|EAI_AGAIN|network request/;
const WITHIN_MS = 240_000;

/** Runs npm, npx or pnpm in a folder, and gives what it printed. Fails with all of it. */
export async function install(
  [command = '', ...args]: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  try {
    // The tests may run below `npm --silent`, which npm would take over, and then say nothing of an error.
    const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error' };
    const given = { ...process.env, CI: 'true', ...quiet, ...env };
    const options = { cwd, env: given, timeout: WITHIN_MS };
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`;
    const reason = UNREACHABLE.test(output) ? 'no registry of packages could be reached' : 'it failed';
    throw new Error(`${command} ${args.join(' ')}: ${reason}:\n${output}`, { cause: error });
  }
}
