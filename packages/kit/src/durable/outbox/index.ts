import { v7 as uuidv7 } from 'uuid';
import type { Bus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock/index.ts';
import { DEAD_LETTER_RETENTION_MS, OUTBOX_DEAD_LETTER, forgetDeadLetters } from '../dead-letters.ts';
import { every, type Job } from '../work/every.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Metrics } from '../../runtime/telemetry/metrics.ts';
import { createDeleter } from './deleter.ts';
import { createRowPublisher, isBusy, publishRow, settlePublished } from './publisher.ts';
import { createSweeper, sweep, type Sweeper } from './sweeper.ts';
import { insertRows } from './table.ts';
import { observeOutbox } from './observe.ts';
import type { Database, Tx } from '../../postgres/index.ts';
import { currentContext, detach } from '../../runtime/request-context.ts';
import { inject } from '../../runtime/telemetry/tracing.ts';

export { OUTBOX_TABLE_SQL, REPLAY_DEAD_LETTERS_SQL } from './table.ts';

export type OutboxMessage = {
  subject: string;
  payload: Uint8Array;
  /** Core NATS subjects that also get the payload; without spaces. */
  live?: string[];
};

/** A row of the table `outbox`: a message to publish, and if need be to publish again with the same bytes. */
export type OutboxRow = {
  /** UUID version 7; also the Nats-Msg-Id. */
  id: string;
  subject: string;
  live: string[];
  payload: Uint8Array;
  /** Request id and trace; in the table as JSON text. */
  headers: Record<string, string>;
};

export type Outbox = {
  rows(messages: OutboxMessage[]): OutboxRow[];
  insert(tx: Tx, rows: OutboxRow[]): Promise<void>;
  /** Combines rows() and insert(), and calls publish() once the transaction is committed. */
  add(tx: Tx, messages: OutboxMessage[]): Promise<void>;
  /** Publishes rows after their commit. Never throws; rows that fail are left to the sweeper. */
  publish(rows: OutboxRow[]): void;
  /** Starts the sweeper and the retention of dead letters. */
  start(): void;
  /** Publishes the remaining rows now, in this replica. */
  sweep(): Promise<void>;
  /** Stops the sweeper, and waits for rows that are being published or deleted. */
  stop(): Promise<void>;
};

export type OutboxOptions = {
  db: Database;
  bus: Bus;
  log: Logger;
  clock: Clock;
  metrics?: Metrics;
  /**
   * Whether the service can publish an event again from a log. All other events are kept for some minutes, as a stream may lose its latest
   * messages.
   */
  isLogged: (subject: string) => boolean;
  /** Age at which the sweeper publishes a row that a crash or failure left behind. Default 3000. */
  sweepAfterMs?: number;
  /** Default 1000. */
  sweepEveryMs?: number;
  /** Hooks for tests, called at points where the process may be killed. */
  faults?: { beforePublish?(): void | Promise<void>; beforeDelete?(): void | Promise<void> };
};

const HOUR_MS = 3600_000;
const runDetached = detach();

/**
 * The transactional outbox: an event is published if and only if its transaction commits. The transaction writes a row; after the commit
 * the row is published from memory, and deleted once JetStream has stored the event. One replica's sweeper publishes the rows that a crash
 * or an outage of NATS left: at least once, with the same id and bytes. A refused row waits longer each time and delays no other row; a row
 * too large even for a correctly configured server is moved to the table outbox_dead_letter and deleted there after 30 days.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const publisher = createRowPublisher(options, createDeleter(options));
  const sweeper = createSweeper(options, publisher);
  const jobs: Job[] = [];
  if (options.metrics) observeOutbox(options.db, options.metrics);
  const outbox: Outbox = {
    rows: (messages) => messages.map(toRow),
    insert: insertRows,
    async add(tx, messages) {
      const rows = outbox.rows(messages);
      await insertRows(tx, rows);
      // The sweeper finds rows whose commit is unknown.
      tx.afterCommit(() => outbox.publish(rows), 'found');
    },
    publish(rows) {
      for (const row of rows) if (!isBusy(publisher)) void publishRow(publisher, row);
    },
    start() {
      if (jobs.length === 0) jobs.push(...startJobs(options, sweeper));
    },
    sweep: () => runDetached(() => sweep(sweeper)),
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      await settlePublished(publisher);
      await publisher.deleter.flush();
      publisher.deleter.stop();
    },
  };
  return outbox;
}

function startJobs({ db, bus, log, clock, sweepEveryMs = 1000 }: OutboxOptions, sweeper: Sweeper): Job[] {
  const sweeping = every({
    db,
    log,
    clock,
    name: 'outbox-sweeper',
    intervalMs: sweepEveryMs,
    isAble: () => bus.connected,
    run: () => sweep(sweeper),
  });
  const retention = every({
    db,
    log,
    clock,
    name: 'outbox-dead-letter-retention',
    intervalMs: HOUR_MS,
    run: async () => {
      await forgetDeadLetters({ db, log }, OUTBOX_DEAD_LETTER, clock.now() - DEAD_LETTER_RETENTION_MS);
    },
  });
  return [sweeping, retention];
}

function toRow({ subject, payload, live = [] }: OutboxMessage): OutboxRow {
  const headers: Record<string, string> = {};
  const requestId = currentContext()?.requestId;
  if (requestId) headers['x-request-id'] = requestId;
  inject(headers);
  return { id: uuidv7(), subject, live, payload, headers };
}
