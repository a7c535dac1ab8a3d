import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from '../command.ts';
import { until } from '../until.ts';
import { confText, type CephSettings } from './settings.ts';

const run = promisify(execFile);

const USER_NAMES = ['mon.', 'client.admin', 'osd.0', 'client.rgw.a'];

/** Keys, configuration and the monitor's store: what is there before any daemon runs. */
export async function prepareCluster(settings: CephSettings): Promise<void> {
  const { conf, keyring, monmap, fsid, monitorPort, at } = settings;
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(at(name), { recursive: true });
  writeFileSync(conf, confText(settings));
  const caps = ['mon', 'osd'].flatMap((daemon) => ['--cap', daemon, 'allow *']);
  for (const [index, name] of USER_NAMES.entries()) {
    const create = index === 0 ? ['--create-keyring'] : [];
    await run('ceph-authtool', [keyring, ...create, '--gen-key', '-n', name, ...caps]);
  }
  const address = `[v2:127.0.0.1:${monitorPort}]`;
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, monmap]);
  await run('ceph-mon', ['-c', conf, '-i', 'a', '--mkfs', '--monmap', monmap, '--keyring', keyring]);
}

/** With the monitor running. */
export async function addOsd({ conf, osdUuid }: CephSettings): Promise<void> {
  await run('ceph', ['-c', conf, 'osd', 'new', osdUuid, '0']);
  await run('ceph-osd', ['-c', conf, '-i', '0', '--mkfs', '--osd-uuid', osdUuid]);
}

/** With the gateway running. */
export async function addUser({ conf, accessKey, secretKey }: CephSettings): Promise<void> {
  const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
  await run('radosgw-admin', [
    '-c',
    conf,
    'user',
    'create',
    '--uid=parley',
    '--display-name=Parley',
    ...keys,
  ]);
}

export function monitorCommand({ conf }: CephSettings): Command {
  return { file: 'ceph-mon', args: ['-c', conf, '-i', 'a', '-f'] };
}

export function osdCommand({ conf }: CephSettings): Command {
  return { file: 'ceph-osd', args: ['-c', conf, '-i', '0', '-f'] };
}

export function gatewayCommand({ conf }: CephSettings): Command {
  return { file: 'radosgw', args: ['-c', conf, '-n', 'client.rgw.a', '-f'] };
}

export async function untilMonitorAnswers(
  { conf }: CephSettings,
  given: () => string | undefined,
): Promise<void> {
  const ask = async () => (await run('ceph', ['-c', conf, '--connect-timeout', '2', 'mon', 'stat'])).stdout;
  await until(ask, { withinMs: 15_000, what: 'the Ceph monitor answers', given });
}

export async function untilGatewayAnswers(
  { gatewayPort }: CephSettings,
  given: () => string | undefined,
): Promise<void> {
  const ask = async () => ((await fetch(`http://127.0.0.1:${gatewayPort}/`)).ok ? true : undefined);
  await until(ask, { withinMs: 30_000, what: 'the S3 gateway of Ceph answers', given });
}
