import { milestonesOf } from '@parley/domain/events/milestones';
import { eventStream } from '@parley/domain/events/stream';
import { startRepublishing } from '@parley/kit/durable/lost-events/republish';
import type { Stopper } from '@parley/kit/runtime/process';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startCellAdministration } from './cells/administration.ts';
import type { Config } from './config.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context, type ServiceContext } from './context.ts';
import { readLog } from './replay/logged-events.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';
import { startScheduler } from './timers/scheduled-messages.ts';

export const NAME = 'messaging';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<ServiceContext>;

/** Resolves when the service answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  createsStream: true,
  cells: (config: Config) => config.cells,
  open: createContext,
  async start(ctx, { server, stopper }) {
    const { contexts, cells } = ctx;
    for (const [cell, context] of contexts.entries()) startPublishing(context, cell, stopper);
    const timers = await Promise.all(contexts.map((context) => startTimers(context, stopper)));
    startConsumers(contexts, stopper, timers);
    startAppRemoval(contexts, stopper);
    const schedulers = contexts.map((context) => startScheduler(context, stopper));
    const administration = startCellAdministration(ctx, { migrations, stopper });
    mountRpc({ server, cells, contexts, schedulers, administration, stopper });
  },
});

/** Publishes the events of a cell, and those that a stream has lost. */
function startPublishing(context: Context, cell: number, stopper: Stopper): void {
  context.outbox.start();
  const republishing = startRepublishing({
    ...context,
    stream: 'EVENTS',
    milestones: milestonesOf(NAME, cell),
    read: (since) => readLog(context, since),
  });
  stopper.add('republishing', () => republishing.stop());
}
