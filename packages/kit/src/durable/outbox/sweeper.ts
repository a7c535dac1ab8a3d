import type { OutboxOptions } from './index.ts';
import type { Database } from '../../postgres/index.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Counter } from '../../runtime/telemetry/metrics.ts';
import { publishRow, type Attempt, type RowPublisher } from './publisher.ts';
import { BEFORE_ALL, moveToDeadLetters, listRowsDue, postponeRows } from './table.ts';

export type Sweeper = {
  readonly db: Database;
  readonly log: Logger;
  readonly publisher: RowPublisher;
  /** Age at which a row is published. Milliseconds. */
  readonly afterMs: number;
  readonly deadTotal: Counter | undefined;
};

const PAGE_ROWS = 200;
/** A page ends with the row that exceeds this size. Bytes. */
const PAGE_BYTES = 16 * 1024 * 1024;

export function createSweeper(options: OutboxOptions, publisher: RowPublisher): Sweeper {
  const { db, log, metrics, sweepAfterMs = 3000 } = options;
  const deadTotal = metrics?.counter({
    name: 'outbox_dead_total',
    help: 'Events moved to outbox_dead_letter',
  });
  return { db, log, publisher, afterMs: sweepAfterMs, deadTotal };
}

/**
 * Publishes the due rows. Goes through all pages, so that refused rows do not delay later ones. When a page shows that the stream accepts
 * no messages, the rows stay due for the next sweep.
 */
export async function sweep(sweeper: Sweeper): Promise<void> {
  const { db, publisher, afterMs } = sweeper;
  const page = { after: BEFORE_ALL, until: 'infinity', limit: PAGE_ROWS, bytes: PAGE_BYTES };
  for (;;) {
    const rows = await listRowsDue(db, afterMs, page);
    const last = rows.at(-1);
    if (!last) break;
    const attempts = await Promise.all(rows.map((row) => publishRow(publisher, row)));
    await settle(sweeper, attempts);
    const results = new Set(attempts.map(({ result }) => result));
    if (results.has('unavailable') && !results.has('published')) break;
    page.after = last;
    // Rows postponed by this sweep are left to a later sweep, however long this one takes.
    if (page.until === 'infinity') page.until = last.read_at;
  }
  await publisher.deleter.flush();
}

async function settle({ db, log, deadTotal }: Sweeper, attempts: readonly Attempt[]): Promise<void> {
  const refused = attempts.filter(({ result }) => result === 'refused').map(({ id }) => id);
  await postponeRows(db, refused);
  const dead = attempts
    .filter(({ result }) => result === 'dead')
    .map(({ id, error = '' }) => ({ id, error }));
  await moveToDeadLetters(db, dead);
  deadTotal?.inc(dead.length);
  for (const { id, error } of dead) log.error({ id, reason: error }, 'event moved to outbox_dead_letter');
}
