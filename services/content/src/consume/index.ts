import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeAnnouncements } from './announcement-created.ts';
import { consumeConversations } from './conversation-deleted.ts';
import { consumeErasures } from './identity-erased.ts';
import { consumeMessages } from './messages.ts';

/** Starts the consumers of other services' events. */
export function startConsumers(ctx: Context, stopper: Stopper, timers: Timers): void {
  const consumers = {
    'deleted messages': consumeMessages(ctx, 'deleted'),
    'changed parts': consumeMessages(ctx, 'parts_changed'),
    'deleted conversations': consumeConversations(ctx, timers),
    announcements: consumeAnnouncements(ctx),
    'erased users': consumeErasures(ctx),
  };
  for (const [name, consumer] of Object.entries(consumers)) {
    stopper.add(`consumer of ${name}`, () => consumer.stop());
  }
}
