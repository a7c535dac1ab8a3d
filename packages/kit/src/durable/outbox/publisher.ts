import { Code, ConnectError } from '@connectrpc/connect';
import type { Bus } from '../../bus/index.ts';
import { isTooLargeForGood } from '../../bus/payload-limit.ts';
import type { OutboxOptions, OutboxRow } from './index.ts';
import { detach } from '../../runtime/request-context.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { STAGE_SECONDS_BUCKETS, type Counter, type Histogram } from '../../runtime/telemetry/metrics.ts';
import { sampledTraceOf } from '../../runtime/telemetry/tracing.ts';
import type { Deleter } from './deleter.ts';

/**
 * Result of an attempt to publish a row. `unavailable`: the broker was unreachable, or its stream accepts no messages at present.
 * `refused`: the row is tried again later. `dead`: it is never tried again.
 */
export type Attempt = {
  id: string;
  result: 'published' | 'unavailable' | 'refused' | 'dead';
  error?: string;
};

export type RowPublisher = {
  readonly bus: Bus;
  readonly log: Logger;
  readonly beforePublish: (() => void | Promise<void>) | undefined;
  readonly published: Counter | undefined;
  readonly failed: Counter | undefined;
  readonly seconds: Histogram | undefined;
  /** Deletes published rows. */
  readonly deleter: Deleter;
  readonly inFlight: Map<string, Promise<Attempt>>;
};

/** Most rows in flight; further ones wait in the table, not in memory. */
const MAX_IN_FLIGHT = 2000;
/** Errors of `Bus.publish` that concern the whole stream, not one message. */
const STREAM_WIDE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.ResourceExhausted]);

const runDetached = detach();

export function createRowPublisher(
  { bus, log, metrics, faults }: OutboxOptions,
  deleter: Deleter,
): RowPublisher {
  return {
    bus,
    log,
    beforePublish: faults?.beforePublish,
    published: metrics?.counter({ name: 'outbox_published_total', help: 'Events stored in JetStream' }),
    failed: metrics?.counter({ name: 'outbox_failed_total', help: 'Attempts to publish that failed' }),
    seconds: metrics?.histogram({
      name: 'outbox_publish_seconds',
      help: 'Time from the publishing of an event until JetStream has stored it.',
      buckets: STAGE_SECONDS_BUCKETS,
    }),
    deleter,
    inFlight: new Map(),
  };
}

/** Whether the limit of rows in flight is reached. */
export function isBusy({ inFlight }: RowPublisher): boolean {
  return inFlight.size >= MAX_IN_FLIGHT;
}

/** Publishes a row, unless it is being published already. Never rejects. */
export function publishRow(publisher: RowPublisher, row: OutboxRow): Promise<Attempt> {
  const { inFlight } = publisher;
  const known = inFlight.get(row.id);
  if (known) return known;
  const sending = runDetached(() => attempt(publisher, row));
  inFlight.set(row.id, sending);
  return sending;
}

/** Resolves when no row is being published. */
export async function settlePublished({ inFlight }: RowPublisher): Promise<void> {
  await Promise.all(inFlight.values());
}

async function attempt(publisher: RowPublisher, row: OutboxRow): Promise<Attempt> {
  const { bus, log, beforePublish, published, failed, seconds, deleter, inFlight } = publisher;
  try {
    if (beforePublish) await beforePublish();
    const began = performance.now();
    const trace = sampledTraceOf(row.headers);
    for (const subject of row.live)
      bus.publishLive(subject, row.payload, trace === undefined ? undefined : { trace });
    const stored = await bus.publish(row.subject, row.payload, { msgId: row.id, headers: row.headers });
    seconds?.observe((performance.now() - began) / 1000);
    published?.inc();
    deleter.add({ subject: row.subject, messageId: row.id, stored });
    return { id: row.id, result: 'published' };
  } catch (error) {
    failed?.inc();
    log.warn({ error, id: row.id, subject: row.subject }, 'failed to publish event');
    return { id: row.id, result: judge(error, bus), error: describe(error) };
  } finally {
    inFlight.delete(row.id);
  }
}

function judge(error: unknown, bus: Bus): Attempt['result'] {
  if (isTooLargeForGood(error, bus)) return 'dead';
  return error instanceof ConnectError && STREAM_WIDE.has(error.code) ? 'unavailable' : 'refused';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
