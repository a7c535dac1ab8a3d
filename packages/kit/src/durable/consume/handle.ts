import { listDeletedApps } from '../app-removal/tables.ts';
import type { BusMessage } from '../../bus/index.ts';
import type { Sql, Tx } from '../../postgres/index.ts';
import { runInContext } from '../../runtime/request-context.ts';
import { isTracing, sampledTraceOf } from '../../runtime/telemetry/tracing.ts';
import { inConsumerSpan } from './span.ts';
import { claimEvents } from './table.ts';

/** An event and the message that carried it. */
export type Entry<Event> = { id: string; event: Event; message: BusMessage };

/** Reads the sampled `traceparent` of an event, for storing; undefined without tracing. */
export type TraceOf = (event: unknown) => string | undefined;

export type HandleAll<Event> = (tx: Tx, events: Event[], traceOf: TraceOf) => Promise<void>;

export type Handling<Event> = {
  durable: string;
  handle?: (tx: Tx, event: Event) => Promise<void>;
  handleAll?: HandleAll<Event>;
  appOf: ((event: Event) => string) | undefined;
};

/**
 * Records events as handled, and handles those that are new to the consumer; returns their number. Events of deleted applications are
 * recorded without being handled.
 */
export async function handleNew<Event>(
  tx: Tx,
  handling: Handling<Event>,
  entries: readonly Entry<Event>[],
): Promise<number> {
  const claimed = await claimEvents(
    tx,
    handling.durable,
    entries.map(({ id }) => id),
  );
  const unhandled = new Set(claimed);
  const first = entries.filter(({ id }) => unhandled.delete(id));
  await handleEach(tx, handling, await ofLivingApps(tx, handling, first));
  return claimed.size;
}

async function ofLivingApps<Event>(
  sql: Sql,
  { appOf }: Handling<Event>,
  entries: Entry<Event>[],
): Promise<Entry<Event>[]> {
  if (!appOf || entries.length === 0) return entries;
  const deleted = await listDeletedApps(sql, [...new Set(entries.map(({ event }) => appOf(event)))]);
  return deleted.size === 0 ? entries : entries.filter(({ event }) => !deleted.has(appOf(event)));
}

async function handleEach<Event>(
  tx: Tx,
  { durable, handle, handleAll }: Handling<Event>,
  entries: Entry<Event>[],
): Promise<void> {
  const [first, ...rest] = entries;
  if (handleAll && first) {
    const events = entries.map(({ event }) => event);
    await inContext(durable, [first, ...rest], () => handleAll(tx, events, traces(entries)));
  } else if (handle) {
    for (const entry of entries) await inContext(durable, [entry], () => handle(tx, entry.event));
  }
}

function traces<Event>(entries: readonly Entry<Event>[]): TraceOf {
  if (!isTracing()) return noTrace;
  const byEvent = new Map<unknown, string | undefined>(
    entries.map(({ event, message }) => [event, sampledTraceOf(message.headers)]),
  );
  return (event) => byEvent.get(event);
}

function noTrace(): undefined {}

/** Runs work in the request context of the first entry. */
function inContext<T>(
  durable: string,
  entries: readonly [Entry<unknown>, ...Entry<unknown>[]],
  work: () => Promise<T>,
): Promise<T> {
  const { message } = entries[0];
  const requestId = message.requestId ?? message.msgId;
  return runInContext({ requestId }, () => inConsumerSpan(durable, entries, work));
}
