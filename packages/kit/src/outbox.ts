import { Code, ConnectError } from '@connectrpc/connect';
import { v7 as uuidv7 } from 'uuid';
import type { Bus } from './bus.ts';
import { isTooLargeForGood } from './bus/payload-limit.ts';
import type { Clock } from './clock.ts';
import {
  DEAD_LETTER_RETENTION_MS,
  OUTBOX_DEAD_LETTER,
  collectDeadLetters,
  forgetDeadLetters,
} from './dead-letters.ts';
import { every, type Job } from './work/every.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createDeleter } from './outbox/deleter.ts';
import { BEFORE_ALL, buryRows, deleteRows, insertRows, listRowsDue, postponeRows } from './outbox/table.ts';
import type { Database, Tx } from './postgres.ts';
import { currentContext, detach } from './request-context.ts';
import { inject } from './telemetry/tracing.ts';

export { OUTBOX_TABLE_SQL, REPLAY_DEAD_LETTERS_SQL } from './outbox/table.ts';

export type OutboxMessage = {
  subject: string;
  payload: Uint8Array;
  /** Core NATS subjects that get the same payload, without spaces. */
  live?: string[];
};

/** A row of the table `outbox`: a message that is published, and if need be published again with the same bytes. */
export type OutboxRow = {
  /** UUID version 7; the Nats-Msg-Id. */
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
  /** rows() and insert(), and publish() once the transaction is committed. */
  add(tx: Tx, messages: OutboxMessage[]): Promise<void>;
  /** Publishes rows after their commit. Never throws; rows that fail are left to the sweeper. */
  publish(rows: OutboxRow[]): void;
  /** Starts the sweeper and the retention of dead letters. */
  start(): void;
  /** Publishes the remaining rows at once, in this replica. */
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
  /** Age from which the sweeper publishes a row, which a crash or a failure left. Default 3000. */
  sweepAfterMs?: number;
  /** Default 1000. */
  sweepEveryMs?: number;
  /** For tests: called between the steps, where the process may be killed. */
  faults?: { beforePublish?(): void | Promise<void>; beforeDelete?(): void | Promise<void> };
};

const HOUR_MS = 3600_000;
const MAX_IN_FLIGHT = 2000;
/** Failures of `Bus.publish` that concern the whole stream, not one message. */
const STREAM_WIDE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.ResourceExhausted]);
const SWEEP_PAGE = 200;
/** A page ends with the row that exceeds this. */
const SWEEP_BYTES = 16 * 1024 * 1024;

/**
 * Result of an attempt to publish a row. `unavailable`: the broker could not be reached, or its stream accepts no messages at
 * present. `refused`: the row is tried again later. `dead`: it is never tried again.
 */
type Attempt = { id: string; result: 'published' | 'unavailable' | 'refused' | 'dead'; error?: string };

/**
 * The transactional outbox: an event is published if and only if its transaction commits. The transaction writes a row;
 * after the commit the row is published from memory, and deleted once JetStream has stored the event. One sweeper among
 * the replicas publishes the rows that a crash or an outage of NATS left: at least once, with the same id and bytes. A
 * refused row waits longer each time and delays no other row; a row too large even for a correctly configured server is
 * moved to the table outbox_dead_letter and deleted there after 30 days.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { db, bus, log, clock, faults, sweepAfterMs = 3000, sweepEveryMs = 1000 } = options;
  const runDetached = detach();
  const inFlight = new Map<string, Promise<Attempt>>();
  const deleter = createDeleter(remove, clock, log);
  const published = options.metrics?.counter({
    name: 'outbox_published_total',
    help: 'Events stored in JetStream',
  });
  const failed = options.metrics?.counter({
    name: 'outbox_failed_total',
    help: 'Attempts to publish that failed',
  });
  const buried = options.metrics?.counter({
    name: 'outbox_dead_total',
    help: 'Events moved to outbox_dead_letter',
  });
  options.metrics?.gauge({
    name: 'outbox_dead_letters',
    help: 'Events in outbox_dead_letter',
    collect: collectDeadLetters(db, OUTBOX_DEAD_LETTER),
  });
  const jobs: Job[] = [];

  async function remove(ids: string[]): Promise<void> {
    await faults?.beforeDelete?.();
    await runDetached(() => deleteRows(db, ids));
  }

  async function publishRow(row: OutboxRow): Promise<Attempt> {
    try {
      if (faults?.beforePublish) await faults.beforePublish();
      for (const subject of row.live) bus.publishLive(subject, row.payload);
      await bus.publish(row.subject, row.payload, { msgId: row.id, headers: row.headers });
      published?.inc();
      deleter.add(row.id);
      return { id: row.id, result: 'published' };
    } catch (error) {
      failed?.inc();
      log.warn({ error, id: row.id, subject: row.subject }, 'failed to publish event');
      return { id: row.id, result: judge(error, bus), error: describe(error) };
    } finally {
      inFlight.delete(row.id);
    }
  }

  // A row that is being published is not published a second time.
  function send(row: OutboxRow): Promise<Attempt> {
    const known = inFlight.get(row.id);
    if (known) return known;
    const sending = runDetached(() => publishRow(row));
    inFlight.set(row.id, sending);
    return sending;
  }

  async function settle(attempts: readonly Attempt[]): Promise<void> {
    const of = (wanted: Attempt['result']) => attempts.filter(({ result }) => result === wanted);
    await postponeRows(db, of('refused').map(({ id }) => id)); // prettier-ignore
    const dead = of('dead').map(({ id, error = '' }) => ({ id, error }));
    await buryRows(db, dead);
    buried?.inc(dead.length);
    for (const { id, error } of dead) log.error({ id, reason: error }, 'event moved to outbox_dead_letter');
  }

  // Goes through all pages, so that refused rows do not delay the rows behind them. When a page shows that the stream
  // accepts no messages, the rows stay due for the next sweep.
  async function sweepAll(): Promise<void> {
    const page = { after: BEFORE_ALL, until: 'infinity', limit: SWEEP_PAGE, bytes: SWEEP_BYTES };
    for (;;) {
      const rows = await listRowsDue(db, sweepAfterMs, page);
      const last = rows.at(-1);
      if (!last) break;
      const attempts = await Promise.all(rows.map(send));
      await settle(attempts);
      const results = new Set(attempts.map(({ result }) => result));
      if (results.has('unavailable') && !results.has('published')) break;
      page.after = last;
      // A row that this sweep postpones is left to a later sweep, however long this one takes.
      if (page.until === 'infinity') page.until = last.read_at;
    }
    await deleter.flush();
  }

  async function forgetOld(): Promise<void> {
    await forgetDeadLetters({ db, log }, OUTBOX_DEAD_LETTER, clock.now() - DEAD_LETTER_RETENTION_MS);
  }

  const outbox: Outbox = {
    rows: (messages) => messages.map(toRow),
    insert: (tx, rows) => insertRows(tx, rows),
    async add(tx, messages) {
      const rows = outbox.rows(messages);
      await insertRows(tx, rows);
      tx.afterCommit(() => outbox.publish(rows));
    },
    publish(rows) {
      // When NATS cannot keep up, rows wait in the table rather than in memory.
      for (const row of rows) if (inFlight.size < MAX_IN_FLIGHT) void send(row);
    },
    start() {
      if (jobs.length > 0) return;
      const common = { db, log, clock };
      const isAble = (): boolean => bus.connected;
      const timing = { name: 'outbox-sweeper', intervalMs: sweepEveryMs, isAble };
      jobs.push(
        every({ ...common, ...timing, run: sweepAll }),
        every({ ...common, name: 'outbox-dead-letter-retention', intervalMs: HOUR_MS, run: forgetOld }),
      );
    },
    sweep: () => runDetached(sweepAll),
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      await Promise.all(inFlight.values());
      await deleter.flush();
    },
  };
  return outbox;
}

function judge(error: unknown, bus: Bus): Attempt['result'] {
  if (isTooLargeForGood(error, bus)) return 'dead';
  return error instanceof ConnectError && STREAM_WIDE.has(error.code) ? 'unavailable' : 'refused';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toRow({ subject, payload, live = [] }: OutboxMessage): OutboxRow {
  const headers: Record<string, string> = {};
  const requestId = currentContext()?.requestId;
  if (requestId) headers['x-request-id'] = requestId;
  inject(headers);
  return { id: uuidv7(), subject, live, payload, headers };
}
