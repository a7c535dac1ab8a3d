import { eventFilter } from '@parley/domain/events';
import { consumeEvents } from '@parley/events/consume';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Deliveries } from '@parley/outbound/deliveries';
import { insertErasures } from '../sql/erasure.ts';
import type { Timers } from '../timers/index.ts';
import { recordPushes } from './record-pushes.ts';
import { startWithdrawalHints } from './withdrawal-hints.ts';

/** Starts the consumers of other services' events. */
export function startConsumers(
  ctx: Context,
  stopper: Stopper,
  { deliveries, timers }: { deliveries: Deliveries; timers: Timers },
): void {
  const pushes = consumeEvents(ctx, {
    durable: 'push-deliveries',
    filter: eventFilter('push.requested'),
    batch: 128,
    lingerMs: 10,
    isWanted: ({ body }) => body.case === 'pushRequested',
    async handleAll(tx, events, traceOf) {
      if ((await recordPushes(ctx, tx, { events, traceOf })) > 0)
        tx.afterCommit(() => deliveries.wake(), 'same');
    },
  });
  stopper.add('consumer of pushes', () => pushes.stop());
  const erasures = consumeEvents(ctx, {
    durable: 'push-erasures',
    filter: eventFilter('identity.erased'),
    isWanted: ({ body }) => body.case === 'userErased',
    async handleAll(tx, events) {
      const erased = events.flatMap(({ appId, createdAt, body }) =>
        body.case === 'userErased' ? [{ appId, userId: body.value.userId, erasedAt: createdAt }] : [],
      );
      await insertErasures(tx, erased);
      tx.afterCommit(() => timers.erase(), 'same');
    },
  });
  stopper.add('consumer of erasures', () => erasures.stop());
  startWithdrawalHints(ctx, stopper);
}
