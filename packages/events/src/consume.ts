import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { createConsumer, type Consumer, type ConsumerOptions } from '@parley/kit/durable/consume';

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
export function consumeEvents(base: Base, { isWanted, ...options }: EventReaction): Consumer {
  const { db, bus, log, clock, metrics } = base;
  return createConsumer({
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
  });
}
