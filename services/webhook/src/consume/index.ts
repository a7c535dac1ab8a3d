import { chooseSubjects } from '@parley/domain/events';
import { consumeEvents } from '@parley/events/consume';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Deliveries } from '@parley/outbound/deliveries';
import type { Timers } from '../timers/index.ts';
import { listSubscriptions } from '../sql/webhook.ts';
import { isOfInterest, recordEvents } from './record-events.ts';

/** Starts the consumers of other services' events. */
export function startConsumers(
  ctx: Context,
  stopper: Stopper,
  { deliveries, timers }: { deliveries: Deliveries; timers: Timers },
): void {
  const consumer = consumeEvents(ctx, {
    durable: 'webhook-deliveries',
    filter: 'event.>',
    batch: 128,
    lingerMs: 10,
    choose: (subjects) =>
      chooseSubjects(subjects, {
        always: ['identity.erased'],
        listApps: async (appIds) => (await listSubscriptions(ctx.db, appIds)).map(({ app_id }) => app_id),
      }),
    isWanted: isOfInterest,
    async handleAll(tx, events, traceOf) {
      const made = await recordEvents(ctx, tx, { events, traceOf });
      if (made.deliveries > 0) tx.afterCommit(() => deliveries.wake(), 'same');
      if (made.expansions > 0) tx.afterCommit(() => timers.expand(), 'same');
      if (made.erasures > 0) tx.afterCommit(() => timers.erase(), 'same');
    },
  });
  stopper.add('consumer of events', () => consumer.stop());
}
