import { GenericContainer, getContainerRuntimeClient, getReaper, ImageName, Wait } from 'testcontainers';
import type { StartedTestContainer } from 'testcontainers';
import type { Command } from '@parley/stack/command';
import { STORES, type Answer, type Images, type Store } from './choice.ts';
import { SPECS } from './spec.ts';

const STARTED_WITHIN_MS = 45_000;

/** Fails when no runtime answers. Images that are not there are pulled. */
export async function askRuntime(images: Images): Promise<Answer> {
  const client = await getContainerRuntimeClient();
  // The container that removes those of a run that is killed; it has an image of its own.
  await getReaper(client);
  const missing: Answer['missing'] = {};
  for (const store of STORES) {
    const name = images[store];
    if (name === undefined) continue;
    const image = ImageName.fromString(name);
    try {
      await client.image.pull(image);
      // A registry's refusal is in the output of a pull that goes well.
      if (!(await client.image.exists(image))) missing[store] = 'the runtime could not pull it';
    } catch (error) {
      missing[store] = reasonOf(error);
    }
  }
  return { missing };
}

export type StartedStore = { url: string; stop(): Promise<void> };

/** Resolves when the store answers. A container that does not come so far is removed; the error has the end of its output. */
export async function startContainer(store: Store, image: string): Promise<StartedStore> {
  const spec = SPECS[store]();
  const output: string[] = [];
  const container = new GenericContainer(image)
    .withExposedPorts(spec.port)
    .withCommand(spec.command)
    .withEnvironment(spec.environment)
    .withCopyContentToContainer(spec.files)
    .withLogConsumer((stream) => stream.on('data', (text: unknown) => output.push(String(text))))
    .withWaitStrategy(Wait.forLogMessage(spec.startedLine))
    .withStartupTimeout(STARTED_WITHIN_MS);
  if (spec.entrypoint) container.withEntrypoint(spec.entrypoint);
  let started: StartedTestContainer | undefined;
  try {
    started = await container.start();
    const running = started;
    const url = await spec.untilReady({
      host: running.getHost(),
      port: running.getMappedPort(spec.port),
      run: (command) => runInside(running, command),
    });
    return { url, stop: () => remove(running) };
  } catch (error) {
    if (started) await remove(started);
    const tail = output.join('').split('\n').slice(-20).join('\n');
    throw new Error(`the container of ${image} did not start: ${reasonOf(error)}\n${tail}`, { cause: error });
  }
}

/** Removes a container at once, since its data is of no use any more. */
async function remove(container: StartedTestContainer): Promise<void> {
  await container.stop({ timeout: 0, remove: true, removeVolumes: true });
}

async function runInside(container: StartedTestContainer, { file, args }: Command): Promise<void> {
  const { exitCode, output } = await container.exec([file, ...args]);
  if (exitCode !== 0) throw new Error(`${file} ended with ${exitCode}: ${output}`);
}

/** The message of an error, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
