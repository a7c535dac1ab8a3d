import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeAnnouncementCreated } from './announcement-created.ts';
import { consumeIdentityChanged } from './identity-changed.ts';
import { consumeMemberships } from './memberships.ts';

/** Starts every reaction to other services' events. */
export function startConsumers(ctx: Context, stopper: Stopper, timers: Timers): void {
  const consumers = {
    memberships: consumeMemberships(ctx),
    'identity changes': consumeIdentityChanged(ctx, timers),
    announcements: consumeAnnouncementCreated(ctx),
  };
  for (const [name, consumer] of Object.entries(consumers)) {
    stopper.add(`consumer of ${name}`, () => consumer.stop());
  }
}
