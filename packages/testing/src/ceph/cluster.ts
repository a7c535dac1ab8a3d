import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from '@parley/stack/command';
import { until } from '@parley/stack/until';
import { dataFolders, monitorQuestion, osdPreparation, preparation, userCommand } from './commands.ts';
import { ask } from './request.ts';
import { confText, type CephSettings } from './settings.ts';

const run = promisify(execFile);

/** Keys, configuration and the monitor's store: what is there before any daemon runs. */
export async function prepareCluster(settings: CephSettings): Promise<void> {
  for (const folder of dataFolders(settings)) mkdirSync(folder, { recursive: true });
  writeFileSync(settings.conf, confText(settings));
  await runAll(preparation(settings));
}

/** Adds a store, with the monitor running. */
export async function addOsd(settings: CephSettings): Promise<void> {
  await runAll(osdPreparation(settings));
}

/** Adds a user, with the gateway running. */
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

type Asking = { given?: () => string | undefined; ca?: Buffer | undefined };

/** Takes the address of the gateway, and its authority where that is not a public one. */
export async function untilGatewayAnswers(url: string, { given, ca }: Asking = {}): Promise<void> {
  const attempt = async () => ((await ask(url, { ca })) === 200 ? true : undefined);
  await until(attempt, {
    withinMs: 30_000,
    what: 'the S3 gateway of Ceph answers',
    ...(given && { given }),
  });
}

/** Adds a bucket, with the gateway running and its user added. */
export async function addBucket(
  { accessKey, secretKey }: CephSettings,
  url: string,
  { name, ca }: { name: string; ca: Buffer | undefined },
): Promise<void> {
  const date = new Date().toUTCString();
  // Version 2 of S3's signatures.
  const signature = createHmac('sha1', secretKey).update(`PUT\n\n\n${date}\n/${name}`).digest('base64');
  const headers = { date, authorization: `AWS ${accessKey}:${signature}` };
  const status = await ask(`${url}/${name}`, { method: 'PUT', headers, ca });
  if (status !== 200) throw new Error(`the bucket ${name} was not created: ${status}`);
}

async function runAll(commands: Command[]): Promise<void> {
  for (const { file, args } of commands) await run(file, args);
}
