import type { Command } from '@parley/stack/command';
import {
  dataFolders,
  gatewayCommand,
  monitorCommand,
  monitorQuestion,
  osdCommand,
  osdPreparation,
  preparation,
} from './commands.ts';
import type { CephSettings } from './settings.ts';

/** The line that a container prints when all daemons are started; the gateway may not answer yet. */
export const STARTED = 'parley: the daemons of Ceph are started';

/** A script for `/bin/sh` that starts the cluster, with its configuration there, and ends with the gateway. */
export function clusterScript(settings: CephSettings): string {
  const lines = (commands: Command[]) => commands.map(shellLine);
  return [
    'set -e',
    shellLine({ file: 'mkdir', args: ['-p', ...dataFolders(settings)] }),
    ...lines(preparation(settings)),
    `${shellLine(monitorCommand(settings))} &`,
    `until ${shellLine(monitorQuestion(settings))}; do sleep 0.1; done`,
    ...lines(osdPreparation(settings)),
    `${shellLine(osdCommand(settings))} &`,
    `echo ${quote(STARTED)}`,
    `exec ${shellLine(gatewayCommand(settings))}`,
    '',
  ].join('\n');
}

function shellLine({ file, args }: Command): string {
  return [file, ...args].map(quote).join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
