import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnToLog } from '@parley/stack/command';
import { guardProcess } from '@parley/stack/guard';
import { isAlive } from '@parley/stack/pids';
import { until } from '@parley/stack/until';
import type { Store } from './choice.ts';
import { chosenContainers, CONTAINER_MAIN, withRuntime } from './prepare.ts';

const WITHIN_MS = 55_000;

/**
 * The store's address once it answers: of a container where the run chose that, else of what `embedded` starts. The container
 * ends with the run whose folder this is.
 */
export async function startStore(
  store: Store,
  folder: string,
  embedded: () => Promise<{ url: string }>,
): Promise<{ url: string }> {
  const { images, dockerHost } = chosenContainers();
  const image = images[store];
  if (image === undefined) return embedded();
  const name = path.join(folder, `${store}-container-${randomUUID()}`);
  const [addressFile, logFile] = [`${name}.address`, `${name}.log`];
  const args = [CONTAINER_MAIN, 'run', store, image, addressFile];
  const child = spawnToLog({ file: process.execPath, args, env: withRuntime(dockerHost) }, logFile);
  await once(child, 'spawn');
  const pid = child.pid!;
  child.once('exit', guardProcess(folder, pid));
  child.unref();
  const url = await until(() => (existsSync(addressFile) ? readFileSync(addressFile, 'utf8') : undefined), {
    withinMs: WITHIN_MS,
    what: `the container of ${image} answers`,
    given: () => (isAlive(pid) ? undefined : readFileSync(logFile, 'utf8')),
  });
  return { url };
}
