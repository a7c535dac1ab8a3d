import { chooseSubjects } from '@parley/domain/events';
import { createConsumer } from '@parley/kit/consume';
import type { Stopper } from '@parley/kit/process';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { Timers } from '../timers/index.ts';
import { listSubscriptions } from '../sql/webhook.ts';
import { isOfInterest, recordEvents } from './record-events.ts';

/** Starts the consumers of other services' events. */
export function startConsumers(
  ctx: Context,
  stopper: Stopper,
  { deliveries, timers }: { deliveries: Deliveries; timers: Timers },
): void {
  const { db, bus, log, clock, metrics } = ctx;
  const consumer = createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'webhook-deliveries',
    filter: 'event.>',
    schema: EventBatchSchema,
    batch: 128,
    lingerMs: 10,
    choose: (subjects) =>
      chooseSubjects(subjects, {
        always: ['identity.erased'],
        listApps: async (appIds) => (await listSubscriptions(db, appIds)).map(({ app_id }) => app_id),
      }),
    unpack: ({ events }) => events.filter(isOfInterest).map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    async handleAll(tx, events) {
      const made = await recordEvents(ctx, tx, events);
      if (made.deliveries > 0) tx.afterCommit(() => deliveries.wake());
      if (made.expansions > 0) tx.afterCommit(() => timers.expand());
      if (made.erasures > 0) tx.afterCommit(() => timers.erase());
    },
  });
  stopper.add('consumer of events', () => consumer.stop());
}
