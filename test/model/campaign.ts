import * as fc from 'fast-check';
import { createApp, type Platform } from '../support/app.ts';
import { runScenario } from './run.ts';
import { scenarios, type Scenario } from './steps.ts';

export type Campaign = {
  readonly platform: Platform;
  readonly seed: number;
  readonly count: number;
  /** So many scenarios run side by side. */
  readonly atOnce: number;
  /** Called after each scenario, with what went wrong. */
  readonly done?: (index: number, error: Error | undefined) => void;
};

/** Runs scenarios that follow from the seed. Answers the failures, each with the number of its scenario. */
export async function runCampaign({ platform, seed, count, atOnce, done }: Campaign): Promise<string[]> {
  const given = fc.sample(scenarios, { seed, numRuns: count });
  const app = await createApp(platform, 'model');
  const failures: string[] = [];
  const left = [...given.entries()];
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, scenario] = next;
      const error = await runScenario(app, scenario, `${seed}-${index}`).then(
        () => undefined,
        (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause))),
      );
      if (error) failures.push(`seed ${seed}, scenario ${index}: ${error.message}\n${describe(scenario)}`);
      done?.(index, error);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return failures;
}

/** A scenario in a few lines. */
function describe({ devices, steps }: Scenario): string {
  const told = steps.map(
    ({ device, kind, conversation, which }) => `${device}:${kind}(${conversation},${which})`,
  );
  return `devices ${devices.join()}; ${told.join(' ')}`;
}

/** One scenario of a campaign again. */
export async function runOne({
  platform,
  seed,
  index,
}: {
  platform: Platform;
  seed: number;
  index: number;
}): Promise<void> {
  const scenario = fc.sample(scenarios, { seed, numRuns: index + 1 })[index];
  if (!scenario) throw new Error(`there is no scenario ${index}`);
  await runScenario(await createApp(platform, 'model'), scenario, `${seed}-${index}-again`);
}
