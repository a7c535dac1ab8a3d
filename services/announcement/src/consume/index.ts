import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { consumeIdentityErased } from './identity-erased.ts';

/** Starts every reaction to other services' events. */
export function startConsumers(ctx: Context, stopper: Stopper): void {
  const erasures = consumeIdentityErased(ctx);
  stopper.add('consumer of erasures', () => erasures.stop());
}
