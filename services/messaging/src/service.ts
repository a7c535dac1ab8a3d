import { milestonesOf } from '@parley/domain/events/milestones';
import { eventStream } from '@parley/domain/events/stream';
import { startRepublishing } from '@parley/kit/durable/lost-events/republish';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { readLog } from './replay/logged-events.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';
import { startScheduler } from './timers/scheduled-messages.ts';

export const NAME = 'messaging';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context>;

/** Resolves when the service answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  createsStream: true,
  open: createContext,
  async start(context, { server, stopper }) {
    context.outbox.start();
    const refill = startRepublishing({
      ...context,
      stream: 'EVENTS',
      milestones: milestonesOf(NAME),
      read: (since) => readLog(context, since),
    });
    stopper.add('refill', () => refill.stop());
    const timers = await startTimers(context, stopper);
    startConsumers(context, stopper, timers);
    startAppRemoval(context, stopper);
    const schedules = startScheduler(context, stopper);
    mountRpc(server, context, { schedules, stopper });
  },
});
