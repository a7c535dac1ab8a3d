import { eventStream } from '@parley/domain/events/stream';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { measureBusiestApps } from './figures/busiest-apps.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const NAME = 'identity';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context>;

/** Resolves when the service answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  createsStream: true,
  open: createContext,
  start(context, { server, stopper }) {
    context.outbox.start();
    context.journal.start();
    const timers = startTimers(context, stopper);
    startConsumers(context, stopper, timers);
    startAppRemoval(context, stopper);
    measureBusiestApps(context);
    mountRpc(server, context);
  },
});
