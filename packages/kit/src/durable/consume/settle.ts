import type { BusMessage } from '../../bus/index.ts';
import { isOutage, type Database } from '../../postgres/index.ts';
import { isTransientOrCancelled } from '../../rpc/transient.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import type { Counter, Metrics } from '../../runtime/telemetry/metrics.ts';
import { handleNew, type Entry, type Handling } from './handle.ts';
import { addDeadLetter, claimEvents } from './table.ts';

export type Delivery<Event> = {
  message: BusMessage;
  events: { id: string; event: Event }[];
  /** The reason why the payload could not be read. */
  unreadable?: unknown;
};

export type Settler<Event> = {
  readonly db: Database;
  readonly log: Logger;
  readonly handling: Handling<Event>;
  readonly handled: Counter<'consumer'> | undefined;
  readonly deadTotal: Counter<'consumer'> | undefined;
  /** Whether the last attempt failed because the database was unreachable, so that further attempts are pointless. */
  isOutage: boolean;
};

type SettlerOptions<Event> = Handling<Event> & { db: Database; log: Logger; metrics?: Metrics };

export function createSettler<Event>(options: SettlerOptions<Event>): Settler<Event> {
  const { db, log, metrics } = options;
  const labelNames = ['consumer'] as const;
  return {
    db,
    log,
    handling: options,
    handled: metrics?.counter({ name: 'consumer_handled_total', help: 'Events handled', labelNames }),
    deadTotal: metrics?.counter({
      name: 'consumer_dead_total',
      help: 'Events put into dead_letter',
      labelNames,
    }),
    isOutage: false,
  };
}

/**
 * Handles all events in one transaction. False when nothing was done: the transaction failed, or there is only one event, which is settled
 * individually.
 */
export async function settleTogether<Event>(
  settler: Settler<Event>,
  deliveries: Delivery<Event>[],
): Promise<boolean> {
  settler.isOutage = false;
  const entries = deliveries.flatMap(entriesOf);
  if (entries.length === 1 || deliveries.some(({ unreadable }) => unreadable !== undefined)) return false;
  try {
    await settle(settler, entries);
    return true;
  } catch (error) {
    settler.isOutage = isOutage(error);
    settler.log.warn(
      { error, messages: deliveries.length },
      'failed to handle events together; handling each individually',
    );
    return false;
  }
}

/** Handles each event in its own transaction. False when some must be tried again; after the last attempt they become dead letters. */
export async function settleAlone<Event>(
  settler: Settler<Event>,
  delivery: Delivery<Event>,
  isLast: boolean,
): Promise<boolean> {
  const { message, unreadable } = delivery;
  if (unreadable !== undefined)
    return moveToDeadLetters(settler, message, { id: message.msgId, error: unreadable });
  let isSettled = true;
  for (const entry of entriesOf(delivery))
    isSettled = !settler.isOutage && (await settleOne(settler, entry, isLast)) && isSettled;
  return isSettled;
}

async function settle<Event>(settler: Settler<Event>, entries: Entry<Event>[]): Promise<void> {
  if (entries.length === 0) return;
  const { db, handling, handled } = settler;
  const count = await db.tx((tx) => handleNew(tx, handling, entries));
  handled?.inc({ consumer: handling.durable }, count);
}

async function settleOne<Event>(
  settler: Settler<Event>,
  entry: Entry<Event>,
  isLast: boolean,
): Promise<boolean> {
  const { id, message } = entry;
  try {
    await settle(settler, [entry]);
    return true;
  } catch (error) {
    settler.isOutage = isOutage(error);
    settler.log.warn({ error, eventId: id, deliveries: message.deliveries }, 'failed to handle event');
    if (!isLast || isTransientOrCancelled(error)) return false;
    return moveToDeadLetters(settler, message, { id, error, claims: true });
  }
}

/** `claims`: the event counts as handled from now on, so that the rest of its message can be tried again without it. */
type DeadEvent = { id: string; error: unknown; claims?: true };

async function moveToDeadLetters(
  { db, log, handling, deadTotal }: Settler<never>,
  { subject, payload }: BusMessage,
  { id, error, claims }: DeadEvent,
): Promise<boolean> {
  const consumer = handling.durable;
  try {
    await db.tx(async (tx) => {
      if (claims) await claimEvents(tx, consumer, [id]);
      await addDeadLetter(tx, { consumer, eventId: id, subject, payload, error: describe(error) });
    });
  } catch (failure) {
    log.warn({ error: failure, eventId: id }, 'failed to store dead letter; will retry');
    return false;
  }
  deadTotal?.inc({ consumer });
  log.error({ error, eventId: id }, 'event moved to dead_letter');
  return true;
}

function entriesOf<Event>({ message, events }: Delivery<Event>): Entry<Event>[] {
  return events.map(({ id, event }) => ({ id, event, message }));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
