import type { Command } from '@parley/stack/command';
import type { CephSettings } from './settings.ts';

const USER_NAMES = ['mon.', 'client.admin', 'osd.0', 'client.rgw.a'];

/** The folders that the daemons keep their data in. */
export function dataFolders({ at }: CephSettings): string[] {
  return ['mon', 'osd', 'rgw'].map(at);
}

/** Make keys and the monitor's store; with the configuration and the folders there, before any daemon runs. */
export function preparation({ conf, keyring, monmap, fsid, monitorPort }: CephSettings): Command[] {
  const caps = ['mon', 'osd'].flatMap((daemon) => ['--cap', daemon, 'allow *']);
  const address = `[v2:127.0.0.1:${monitorPort}]`;
  return [
    ...USER_NAMES.map((name, index) => ({
      file: 'ceph-authtool',
      args: [keyring, ...(index === 0 ? ['--create-keyring'] : []), '--gen-key', '-n', name, ...caps],
    })),
    { file: 'monmaptool', args: ['--create', '--fsid', fsid, '--addv', 'a', address, monmap] },
    {
      file: 'ceph-mon',
      args: ['-c', conf, '-i', 'a', '--mkfs', '--monmap', monmap, '--keyring', keyring],
    },
  ];
}

export function monitorCommand({ conf }: CephSettings): Command {
  return { file: 'ceph-mon', args: ['-c', conf, '-i', 'a', '-f'] };
}

/** Ends when the monitor answers. */
export function monitorQuestion({ conf }: CephSettings): Command {
  return { file: 'ceph', args: ['-c', conf, '--connect-timeout', '2', 'mon', 'stat'] };
}

/** Commands that prepare a store, with the monitor running. */
export function osdPreparation({ conf, osdUuid }: CephSettings): Command[] {
  return [
    { file: 'ceph', args: ['-c', conf, 'osd', 'new', osdUuid, '0'] },
    { file: 'ceph-osd', args: ['-c', conf, '-i', '0', '--mkfs', '--osd-uuid', osdUuid] },
  ];
}

export function osdCommand({ conf }: CephSettings): Command {
  return { file: 'ceph-osd', args: ['-c', conf, '-i', '0', '-f'] };
}

export function gatewayCommand({ conf }: CephSettings): Command {
  return { file: 'radosgw', args: ['-c', conf, '-n', 'client.rgw.a', '-f'] };
}

/** Command that adds a user, with the gateway running. */
export function userCommand({ conf, accessKey, secretKey }: CephSettings): Command {
  const names = ['--uid=parley', '--display-name=Parley'];
  const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
  return { file: 'radosgw-admin', args: ['-c', conf, 'user', 'create', ...names, ...keys] };
}
