import { createClient } from '@connectrpc/connect';
import { RecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { InvalidArgumentError, type Command } from 'commander';
import { createAdminTransport } from './connection.ts';
import type { Environment } from './run.ts';

const TIMEOUT_MS = 60_000;

/** Losses that no step can repair, whichever databases were restored. docs/operations.md#what-does-not-converge */
const REMAINS = [
  'What was acknowledged after the moment of its database is gone; clients, webhooks, pushes and exports may have had it.',
  'Scheduled messages that were cancelled after the moment are sent; notifications and pushes of that time may be repeated or lost.',
  'Settings, webhooks and keys that were created or changed after the moment have to be set again.',
  'See "What does not converge" in docs/operations.md.',
];

/** `parley admin after-restore --since 2026-01-31T12:00:00Z` */
export function addAfterRestoreCommand(parent: Command, environment: Environment): void {
  parent
    .command('after-restore')
    .description(
      'Brings databases together that were restored, perhaps to different moments, and repeats erasures and revocations ' +
        'that they lost. Run it before clients come back. It may be repeated when it was interrupted.',
    )
    .requiredOption(
      '--since <time>',
      'the earliest moment to which a database was restored, ISO 8601',
      parseTime,
    )
    .copyInheritedSettings(parent)
    .action(({ since }: { since: number }) => recover(since, environment));
}

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('It is not a time.');
  return time;
}

async function recover(since: number, environment: Environment): Promise<void> {
  const client = createClient(RecoveryService, createAdminTransport(environment));
  const notes: string[] = [];
  let at = { step: '', cursor: '' };
  let totals = new Map<string, number>();
  do {
    const answer = await client.afterRestore({ since, ...at }, { timeoutMs: TIMEOUT_MS });
    for (const { what, count } of answer.counts) totals.set(what, (totals.get(what) ?? 0) + count);
    notes.push(...answer.notes);
    if (answer.step !== answer.done) {
      environment.print(lineOf(answer.done, totals));
      totals = new Map();
    }
    at = { step: answer.step, cursor: answer.cursor };
  } while (at.step !== '');
  environment.print('\nWhat cannot be brought together:\n');
  for (const note of [...notes, ...REMAINS]) environment.print(`- ${note}\n`);
}

function lineOf(step: string, totals: ReadonlyMap<string, number>): string {
  const done = [...totals].filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  return `${step}: ${done.join(', ') || 'nothing to do'}\n`;
}
