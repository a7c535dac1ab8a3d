import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import type { Timers } from '../timers/index.ts';
import { consumeAnnouncements } from './announcement-created.ts';
import { consumeIdentityChanges } from './identity-changed.ts';
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
