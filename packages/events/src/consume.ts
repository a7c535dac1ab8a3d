import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import {
  createConsumer,
  createDividedConsumer,
  type Consumer,
  type ConsumerOptions,
} from '@parley/kit/durable/consume';

/** The parts that each service provides to its consumers. */
type Base = Pick<ConsumerOptions<typeof EventBatchSchema, Event>, 'db' | 'bus' | 'log' | 'clock' | 'metrics'>;

export type EventReaction = Omit<
  ConsumerOptions<typeof EventBatchSchema, Event>,
  keyof Base | 'schema' | 'unpack' | 'appOf'
> & {
  /** Selects the events that the consumer handles and records. Default: all. */
  isWanted?: (event: Event) => boolean;
};

/** A consumer of the services' events; it drops events of deleted applications. */
export function consumeEvents(base: Base, reaction: EventReaction): Consumer {
  return createConsumer(optionsOf(base, reaction));
}

/** A consumer of a service with cells. `cellOf`: the index of an application's cell. */
export function consumeEventsByCell(
  cells: readonly { base: Base; reaction: EventReaction }[],
  cellOf: CellOfApp,
): Consumer {
  const options = cells.map(({ base, reaction }) => optionsOf(base, reaction));
  return createDividedConsumer(options, (subject) => cellOf(appOfSubject(subject)));
}

export type CellOfApp = (appId: string) => Promise<number>;

/** The application that an event's subject, `event.<app>.<kind>`, names. */
export function appOfSubject(subject: string): string {
  return subject.split('.')[1] ?? '';
}

function optionsOf(
  base: Base,
  { isWanted, ...options }: EventReaction,
): ConsumerOptions<typeof EventBatchSchema, Event> {
  const { db, bus, log, clock, metrics } = base;
  return {
    db,
    bus,
    log,
    clock,
    ...(metrics && { metrics }),
    ...options,
    schema: EventBatchSchema,
    unpack: ({ events }) =>
      (isWanted ? events.filter(isWanted) : events).map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
  };
}
