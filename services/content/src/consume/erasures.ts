import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { releaseMessages } from '../release.ts';
import { endContentOfUser } from '../sql/content-end.ts';

/** Removes what an erased person uploaded for nobody, and the content of their messages. */
export function consumeErasures(ctx: Context): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'content-erasures',
    filter: 'event.*.identity.erased',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handle: async (tx, { appId, body }) => {
      if (body.case !== 'userErased') return;
      const { userId } = body.value;
      await releaseMessages(ctx, tx, { appId, senderId: userId });
      await endContentOfUser(tx, { appId, userId, at: clock.now() });
    },
  });
}
