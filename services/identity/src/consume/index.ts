import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeAnnouncements } from './announcements.ts';
import { consumeIdentityChanges } from './identity-changes.ts';
import { consumeMemberships } from './memberships.ts';

/** Every reaction to events. */
export function startConsumers(ctx: Context, stopper: Stopper, timers: Timers): void {
  const consumers = {
    memberships: consumeMemberships(ctx),
    'identity changes': consumeIdentityChanges(ctx, timers),
    announcements: consumeAnnouncements(ctx),
  };
  for (const [name, consumer] of Object.entries(consumers)) {
    stopper.add(`consumer of ${name}`, () => consumer.stop());
  }
}
