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

/** A row of the table `outbox`: what is published, and published again if need be, byte by byte the same. */
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
  /** To be called after the commit. Never throws; what fails is left to the sweeper. */
  publish(rows: OutboxRow[]): void;
  /** Starts the sweeper and the retention of dead letters. */
  start(): void;
  /** Publishes what is left over, at once and whichever replica sweeps otherwise. */
  sweep(): Promise<void>;
  /** Ends the sweeper, and waits for what is being published and deleted. */
  stop(): Promise<void>;
};

export type OutboxOptions = {
  db: Database;
  bus: Bus;
  log: Logger;
  clock: Clock;
  metrics?: Metrics;
  /** Rows older than that were left by a crash or a failure. Default 3000. */
  sweepAfterMs?: number;
  /** Default 1000. */
  sweepEveryMs?: number;
  /** For tests: called between the steps, where a process may be killed. */
  faults?: { beforePublish?(): void | Promise<void>; beforeDelete?(): void | Promise<void> };
};

const HOUR_MS = 3600_000;
const MOST_IN_FLIGHT = 2000;
/** Failures of `Bus.publish` that any other message meets as well. */
const STREAM_WIDE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.ResourceExhausted]);
const SWEEP_PAGE = 200;
/** A page ends with the row that exceeds it. */
const SWEEP_BYTES = 16 * 1024 * 1024;

/**
 * What became of a try: `away` says nothing of the row, since the broker could not be reached or its stream takes no
 * messages at present; one that is `refused` is tried again later, one that is `dead` never.
 */
type Attempt = { id: string; result: 'published' | 'away' | 'refused' | 'dead'; error?: string };

/**
 * Events that are published exactly if their transaction commits. They are rows of the transaction; after the commit
 * they are published from memory, and deleted once JetStream has them. One sweeper among the replicas publishes again
 * what is left after a crash or while NATS was away: at least once, with the same id and bytes. A row that is refused
 * waits longer each time and holds up no other; one that is larger than a server of the required size takes is moved to the
 * table outbox_dead_letter and deleted there after 30 days.
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
      log.warn({ error, id: row.id, subject: row.subject }, 'event not published yet');
      return { id: row.id, result: judge(error, bus), error: describe(error) };
    } finally {
      inFlight.delete(row.id);
    }
  }

  // A row that is on its way already is not sent a second time.
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
    for (const { id, error } of dead)
      log.error({ id, reason: error }, 'event given up, see outbox_dead_letter');
  }

  // Page by page to the end: rows that are refused do not hold up those behind them. Where the stream takes no messages,
  // one page has shown it, and the rows stay due for the next sweep.
  async function sweepAll(): Promise<void> {
    const page = { after: BEFORE_ALL, until: 'infinity', limit: SWEEP_PAGE, bytes: SWEEP_BYTES };
    for (;;) {
      const rows = await listRowsDue(db, sweepAfterMs, page);
      const last = rows.at(-1);
      if (!last) break;
      const attempts = await Promise.all(rows.map(send));
      await settle(attempts);
      const results = new Set(attempts.map(({ result }) => result));
      if (results.has('away') && !results.has('published')) break;
      page.after = last;
      // A row that this sweep puts off is left to a later one, however long this one takes.
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
      // What NATS cannot keep up with stays in the table rather than in memory.
      for (const row of rows) if (inFlight.size < MOST_IN_FLIGHT) void send(row);
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
  return error instanceof ConnectError && STREAM_WIDE.has(error.code) ? 'away' : 'refused';
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
