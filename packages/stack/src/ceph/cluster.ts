import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from '../command.ts';
import { until } from '../until.ts';
import { dataFolders, monitorQuestion, osdPreparation, preparation, userCommand } from './commands.ts';
import { confText, type CephSettings } from './settings.ts';

const run = promisify(execFile);

/** Keys, configuration and the monitor's store: what is there before any daemon runs. */
export async function prepareCluster(settings: CephSettings): Promise<void> {
  for (const folder of dataFolders(settings)) mkdirSync(folder, { recursive: true });
  writeFileSync(settings.conf, confText(settings));
  await runAll(preparation(settings));
}

/** With the monitor running. */
export async function addOsd(settings: CephSettings): Promise<void> {
  await runAll(osdPreparation(settings));
}

/** With the gateway running. */
export async function addUser(settings: CephSettings): Promise<void> {
  await runAll([userCommand(settings)]);
}

export async function untilMonitorAnswers(
  settings: CephSettings,
  given: () => string | undefined,
): Promise<void> {
  const { file, args } = monitorQuestion(settings);
  const ask = async () => (await run(file, args)).stdout;
  await until(ask, { withinMs: 15_000, what: 'the Ceph monitor answers', given });
}

/** Takes the address of the gateway. */
export async function untilGatewayAnswers(url: string, given?: () => string | undefined): Promise<void> {
  const ask = async () => ((await fetch(url)).ok ? true : undefined);
  await until(ask, {
    withinMs: 30_000,
    what: 'the S3 gateway of Ceph answers',
    ...(given && { given }),
  });
}

async function runAll(commands: Command[]): Promise<void> {
  for (const { file, args } of commands) await run(file, args);
}
