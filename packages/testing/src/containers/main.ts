// A process of its own that talks to the container runtime, so that no test file loads what that takes, and a container ends
// when the run ends, however that happens: this process is in the run's folder, and the guard of the folder ends it.
//   node main.ts ask '<images as JSON>'            prints the runtime's answer
//   node main.ts run <store> <image> <file>        writes the address to the file once the store answers, and stays
import { renameSync, writeFileSync } from 'node:fs';
import { askRuntime, reasonOf, startContainer } from './runtime.ts';
import type { Images, Store } from './choice.ts';

const [task, ...given] = process.argv.slice(2);
if (task === 'ask') await ask(given[0] ?? '{}');
else await run(given[0] as Store, given[1] ?? '', given[2] ?? '');

async function ask(images: string): Promise<void> {
  const answer = await askRuntime(JSON.parse(images) as Images).catch((error: unknown) => ({
    failed: reasonOf(error),
  }));
  process.stdout.write(JSON.stringify(answer));
  // Connections to the runtime would keep it alive.
  process.exit(0);
}

async function run(store: Store, image: string, file: string): Promise<void> {
  const starting = startContainer(store, image);
  let ended: Promise<void> | undefined;
  const end = () => void (ended ??= starting.then(({ stop }) => stop()).finally(() => process.exit(0)));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, end);
  const { url } = await starting;
  writeFileSync(`${file}.new`, url);
  renameSync(`${file}.new`, file);
  // Until a signal comes.
  setInterval(() => undefined, 60_000);
}
