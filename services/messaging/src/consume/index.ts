import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeIdentities } from './identities.ts';
import { consumeMessages, consumeNotifications, consumeReactions } from './push-orders.ts';

/** Starts the consumers of events. */
export function startConsumers(
  contexts: readonly Context[],
  stopper: Stopper,
  timers: readonly Timers[],
): void {
  const identities = consumeIdentities(contexts);
  stopper.add('consumer of identities', () => identities.stop());
  const messages = consumeMessages(contexts, timers);
  stopper.add('consumer of messages', () => messages.stop());
  const reactions = consumeReactions(contexts, timers);
  stopper.add('consumer of reactions', () => reactions.stop());
  const notifications = consumeNotifications(contexts, timers);
  stopper.add('consumer of notifications', () => notifications.stop());
}
