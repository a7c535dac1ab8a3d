import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeIdentities } from './identities.ts';
import { consumeMessages, consumeNotifications } from './push-orders.ts';

/** Starts the consumers of events. */
export function startConsumers(ctx: Context, stopper: Stopper, timers: Timers): void {
  const identities = consumeIdentities(ctx);
  stopper.add('consumer of identities', () => identities.stop());
  const messages = consumeMessages(ctx, timers);
  stopper.add('consumer of messages', () => messages.stop());
  const notifications = consumeNotifications(ctx, timers);
  stopper.add('consumer of notifications', () => notifications.stop());
}
