import { milestonesOf } from '@parley/domain/events/milestones';
import { eventStream } from '@parley/domain/events/stream';
import { startRepublishing } from '@parley/kit/durable/lost-events/republish';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { startDelivering } from './delivery/index.ts';
import { createSender } from './delivery/send.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const NAME = 'push';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context>;

/** Starts the service; resolves when it answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  open: createContext,
  async start(context, { server, stopper }) {
    context.outbox.start();
    const republishing = startRepublishing({
      ...context,
      stream: 'EVENTS',
      milestones: milestonesOf(NAME),
      read: readNothing,
    });
    stopper.add('republishing', () => republishing.stop());
    const sender = createSender(context);
    const deliveries = await startDelivering(context, stopper, sender);
    const timers = startTimers(context, stopper);
    startConsumers(context, stopper, { deliveries, timers });
    startAppRemoval(context, stopper);
    mountRpc(server, context, sender);
  },
});

/** Reads no log: only recent events of push can be published again. */
async function* readNothing(): AsyncIterable<never> {}
