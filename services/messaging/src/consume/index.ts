import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { consumeIdentities } from './identities.ts';
import { consumeMessages, consumeNotifications } from './pushes.ts';

/** Every reaction to other services' events. */
export function startConsumers(ctx: Context, stopper: Stopper): void {
  const identities = consumeIdentities(ctx);
  stopper.add('consumer of identities', () => identities.stop());
  const messages = consumeMessages(ctx);
  stopper.add('consumer of messages', () => messages.stop());
  const notifications = consumeNotifications(ctx);
  stopper.add('consumer of notifications', () => notifications.stop());
}
