import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { byApp } from './by-app.ts';
import { insertDeletedApp } from '../sql/deleted-app.ts';

/** Longer than a gateway may still admit a user. What was begun by then is found, and nothing begins later. */
const SETTLED_MS = 60_000;

/** Notes that an app is deleted: a timer removes its content, which may be much. */
export function consumeApps({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'content-apps',
    filter: 'event.*.app.deleted',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handleAll: async (tx, events) => {
      const at = clock.now();
      for (const [appId] of byApp(events)) {
        await insertDeletedApp(tx, { appId, at, dueAt: at + SETTLED_MS });
      }
    },
  });
}
