import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../config.ts';
import { chooseImages, EMBEDDED, imagesAskedFor, runtimesToTry } from './choice.ts';
import type { Answer, Choice, Images, Store } from './choice.ts';

export const CONTAINER_MAIN = path.join(import.meta.dirname, 'main.ts');

const run = promisify(execFile);
const FILE = 'containers.json';

/**
 * Chooses, once before the tests, which stores run in containers, for all workers of the run. Images that are not there are pulled.
 * Without `PARLEY_TEST_CONTAINERS=1`, or a runtime that answers, there are none.
 */
export async function prepareContainers(testFolder: string): Promise<Choice> {
  const choice = await choose();
  shareChoice(testFolder, choice);
  return choice;
}

/** Makes the choice hold for all processes with this test folder. */
export function shareChoice(testFolder: string, choice: Choice): void {
  writeFileSync(path.join(testFolder, FILE), JSON.stringify(choice));
}

/** The choice of this run; outside a run, embedded servers alone. */
export function chosenContainers(): Choice {
  const { testFolder } = readConfig();
  const file = path.join(testFolder ?? '', FILE);
  if (testFolder === undefined || !existsSync(file)) return EMBEDDED;
  return JSON.parse(readFileSync(file, 'utf8')) as Choice;
}

/** The image that a store of this run is started from; undefined: no container. */
export function chosenImage(store: Store): string | undefined {
  return chosenContainers().images[store];
}

async function choose(config = readConfig()): Promise<Choice> {
  if (!config.testContainers) return EMBEDDED;
  const images = imagesAskedFor(config);
  const reasons: string[] = [];
  for (const dockerHost of runtimesToTry(config, existsSync)) {
    const answer = await ask(images, dockerHost);
    if (!('failed' in answer)) return chooseImages(images, dockerHost, answer);
    reasons.push(`${dockerHost ?? "Docker's sockets"}: ${answer.failed}`);
  }
  return { images: {}, notes: [`No container runtime answers (${reasons.join('; ')})`] };
}

async function ask(images: Images, dockerHost: string | undefined): Promise<Answer | { failed: string }> {
  const { stdout } = await run(process.execPath, [CONTAINER_MAIN, 'ask', JSON.stringify(images)], {
    env: withRuntime(dockerHost),
  });
  return JSON.parse(stdout) as Answer | { failed: string };
}

/** The environment of a process that talks to the runtime. */
export function withRuntime(dockerHost: string | undefined): Record<string, string | undefined> {
  const { inherited } = readConfig();
  return dockerHost === undefined ? inherited : { ...inherited, DOCKER_HOST: dockerHost };
}
