import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { logEvents, startEventLog } from '@parley/kit/event-log';
import type { Tx } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/process';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';

/** Logs what other services must not miss; what sockets are told of is asked for anew by those who missed it. */
export function logForRefill(tx: Tx, event: Event): Promise<void> {
  const { id, appId, createdAt: at } = event;
  return logEvents(tx, [{ id, at, appId, event: toBinary(EventSchema, event) }]);
}

/** Fills a new stream with the same events. */
export function startLog(ctx: Context, stopper: Stopper): void {
  const log = startEventLog({
    ...ctx,
    stream: 'EVENTS',
    render: (events) =>
      Promise.resolve(durableMessages(events.map((event) => fromBinary(EventSchema, event)))),
  });
  stopper.add('event log', () => log.stop());
}
