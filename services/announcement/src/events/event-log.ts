import { fromBinary, toBinary } from '@parley/codec';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { milestonesOf } from '@parley/domain/events/milestones';
import { logEvents, startEventLog } from '@parley/kit/durable/event-log';
import type { Tx } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/runtime/process';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';

/** Logs an event that other services must not miss. Live events need no log: gateways that missed them read `received`. */
export function logForRepublishing(tx: Tx, event: Event): Promise<void> {
  const { id, appId, createdAt: at } = event;
  return logEvents(tx, [{ id, at, appId, event: toBinary(EventSchema, event) }]);
}

/** Publishes the logged events again when the broker's stream has lost them, with the ids that they had. */
export function startLog(ctx: Context, stopper: Stopper): void {
  const log = startEventLog({
    ...ctx,
    stream: 'EVENTS',
    milestones: milestonesOf('announcement'),
    render: (events) =>
      Promise.resolve(durableMessages(events.map((event) => fromBinary(EventSchema, event)))),
  });
  stopper.add('event log', () => log.stop());
}
