import * as fc from 'fast-check';
import { createApp } from '../../test/support/app.ts';
import type { OwnPlatform } from '../../test/support/own-platform.ts';
import { startKilling } from './killer.ts';
import { presentLibraries, type Library, type Setting } from './library.ts';
import { runScenario } from './run.ts';
import { scenarios, type Scenario } from './steps.ts';

export type Campaign = {
  readonly platform: OwnPlatform;
  readonly seed: number;
  readonly count: number;
  /** Number of scenarios that run at the same time. */
  readonly atOnce: number;
  /** Gives each device its library whenever it is opened; by default that of this checkout, with both forms of packets in turn. */
  readonly nextLibrary?: () => Library;
  /** Called after each scenario, with what went wrong. */
  readonly done?: (index: number, error: Error | undefined) => void;
};

const PAUSE_BETWEEN_KILLS_MS = 4000;

/** `failures`: each with the number of its scenario. `kills`: of processes of the platform while the scenarios ran. */
type Outcome = { readonly failures: string[]; readonly kills: number };

/** Runs scenarios that follow from the seed, while the gateway and messaging are killed again and again. */
export async function runCampaign(campaign: Campaign): Promise<Outcome> {
  // Nothing repeats the requests that create the application.
  const app = await createApp(campaign.platform, 'model');
  const killer = startKilling(campaign.platform, PAUSE_BETWEEN_KILLS_MS);
  try {
    const setting = { app, nextLibrary: campaign.nextLibrary ?? presentLibraries() };
    return { failures: await runScenarios(setting, campaign), kills: killer.kills };
  } finally {
    await killer.stop();
  }
}

async function runScenarios(setting: Setting, { seed, count, atOnce, done }: Campaign): Promise<string[]> {
  const failures: string[] = [];
  const left = [...fc.sample(scenarios, { seed, numRuns: count }).entries()];
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, scenario] = next;
      const error = await runScenario(setting, scenario, `${seed}-${index}`).then(
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
