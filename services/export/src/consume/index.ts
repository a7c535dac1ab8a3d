import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { consumeJournalEvents } from './append-to-journal.ts';

/** Starts the consumers of other services' events. */
export function startConsumers(ctx: Context, stopper: Stopper): void {
  const events = consumeJournalEvents(ctx);
  stopper.add('consumer of events', () => events.stop());
}
