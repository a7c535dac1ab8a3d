import { SpanKind } from '@opentelemetry/api';
import type { BusMessage } from '../bus.ts';
import { listDeletedApps } from '../app-removal/tables.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { isOutage, type Database, type Sql, type Tx } from '../postgres.ts';
import { runInContext } from '../request-context.ts';
import { isTransientOrCancelled } from '../rpc/transient.ts';
import { extract, inSpan } from '../telemetry/tracing.ts';
import { addDeadLetter, claimEvents } from './table.ts';

export type Delivery<Event> = {
  message: BusMessage;
  events: { id: string; event: Event }[];
  /** Why the payload could not be read. */
  unreadable?: unknown;
};

export type Settler<Event> = {
  /** Handles all events in one transaction. False when nothing was done: it failed, or a single event is to be settled alone. */
  settleTogether(deliveries: Delivery<Event>[]): Promise<boolean>;
  /** Handles each event in a transaction of its own. False when some must be tried again; at the `last` try they become dead letters. */
  settleAlone(delivery: Delivery<Event>, last: boolean): Promise<boolean>;
  /** Whether the last attempt failed because the database could not be reached: nothing else need be tried. */
  outage(): boolean;
};

export type SettlerOptions<Event> = {
  db: Database;
  durable: string;
  log: Logger;
  metrics?: Metrics;
  handle?: (tx: Tx, event: Event) => Promise<void>;
  handleAll?: (tx: Tx, events: Event[]) => Promise<void>;
  appOf: ((event: Event) => string) | undefined;
};

type Entry<Event> = { id: string; event: Event; message: BusMessage };

export function createSettler<Event>(options: SettlerOptions<Event>): Settler<Event> {
  const { db, durable, log } = options;
  const labels = { consumer: durable };
  const metric = (name: string, help: string) =>
    options.metrics?.counter({ name, help, labelNames: ['consumer'] });
  const handled = metric('consumer_handled_total', 'Events handled');
  const buried = metric('consumer_dead_total', 'Events put into dead_letter');
  let outage = false;

  async function settle(entries: Entry<Event>[]): Promise<void> {
    if (entries.length === 0) return;
    const ids = entries.map(({ id }) => id);
    const fresh = await db.tx(async (tx) => {
      const claimed = await claimEvents(tx, durable, ids);
      const unhandled = new Set(claimed);
      const first = entries.filter(({ id }) => unhandled.delete(id));
      await handleEach(tx, await ofLivingApps(tx, first));
      return claimed.size;
    });
    handled?.inc(labels, fresh);
  }

  // Events of deleted applications count as handled without being handled.
  async function ofLivingApps(sql: Sql, entries: Entry<Event>[]): Promise<Entry<Event>[]> {
    const { appOf } = options;
    if (!appOf || entries.length === 0) return entries;
    const deleted = await listDeletedApps(sql, [...new Set(entries.map(({ event }) => appOf(event)))]);
    return deleted.size === 0 ? entries : entries.filter(({ event }) => !deleted.has(appOf(event)));
  }

  async function handleEach(tx: Tx, entries: Entry<Event>[]): Promise<void> {
    const { handle, handleAll } = options;
    const [first] = entries;
    if (handleAll && first)
      await inContext(first.message, () =>
        handleAll(
          tx,
          entries.map(({ event }) => event),
        ),
      );
    else if (handle)
      for (const { event, message } of entries) await inContext(message, () => handle(tx, event));
  }

  function inContext<T>(message: BusMessage, work: () => Promise<T>): Promise<T> {
    const span = { kind: SpanKind.CONSUMER, parent: extract(message.headers) };
    const requestId = message.requestId ?? message.msgId;
    return runInContext({ requestId }, () => inSpan(durable, span, work));
  }

  async function settleOne(entry: Entry<Event>, last: boolean): Promise<boolean> {
    try {
      await settle([entry]);
      return true;
    } catch (error) {
      outage = isOutage(error);
      log.warn({ error, eventId: entry.id, deliveries: entry.message.deliveries }, 'failed to handle event');
      return last && !isTransientOrCancelled(error) ? bury(entry.message, entry.id, error, true) : false;
    }
  }

  // From then on the event counts as handled, so that the rest of its message can be tried again without it.
  async function bury(
    message: BusMessage,
    eventId: string,
    error: unknown,
    claim: boolean,
  ): Promise<boolean> {
    const letter = { consumer: durable, eventId, subject: message.subject, payload: message.payload };
    try {
      await db.tx(async (tx) => {
        if (claim) await claimEvents(tx, durable, [eventId]);
        await addDeadLetter(tx, { ...letter, error: describe(error) });
      });
    } catch (failure) {
      log.warn({ error: failure, eventId }, 'failed to store dead letter; will retry');
      return false;
    }
    buried?.inc(labels);
    log.error({ error, eventId }, 'event moved to dead_letter');
    return true;
  }

  return {
    outage: () => outage,
    async settleTogether(deliveries) {
      outage = false;
      const entries = deliveries.flatMap(entriesOf);
      if (entries.length === 1 || deliveries.some(({ unreadable }) => unreadable !== undefined)) return false;
      try {
        await settle(entries);
        return true;
      } catch (error) {
        outage = isOutage(error);
        log.warn(
          { error, messages: deliveries.length },
          'failed to handle events together; handling each individually',
        );
        return false;
      }
    },
    async settleAlone(delivery, last) {
      const { message, unreadable } = delivery;
      if (unreadable !== undefined) return bury(message, message.msgId, unreadable, false);
      let settled = true;
      for (const entry of entriesOf(delivery)) settled = !outage && (await settleOne(entry, last)) && settled;
      return settled;
    },
  };
}

function entriesOf<Event>({ message, events }: Delivery<Event>): Entry<Event>[] {
  return events.map(({ id, event }) => ({ id, event, message }));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
