import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from './config.ts';
import { isAlive } from '@parley/stack/pids';
import { until } from '@parley/stack/until';
import { processFolder } from '@parley/stack/process-folder';

/**
 * The address of a server that all workers of a test run share (all test files of this process, outside a run): the
 * first caller starts it, further callers wait for that.
 */
export async function sharedServer(
  name: string,
  start: (folder: string) => Promise<{ url: string }>,
): Promise<string> {
  const folder = readConfig().testFolder ?? processFolder();
  const record = path.join(folder, `${name}.url`);
  return until(
    async () => {
      const known = readText(record);
      if (known !== undefined) return known;
      return holdLock(path.join(folder, `${name}.lock`), async () => {
        const { url } = readText(record) ? { url: readText(record)! } : await start(folder);
        writeFileSync(`${record}.new`, url);
        renameSync(`${record}.new`, record);
        return url;
      });
    },
    { withinMs: 60_000, what: `the tests' shared ${name} starts` },
  );
}

// Undefined when another living process holds the lock.
async function holdLock<T>(file: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    if (readText(file) && !isAlive(Number(readText(file)))) rmSync(file, { force: true });
    return undefined;
  }
  try {
    return await run();
  } finally {
    rmSync(file, { force: true });
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
