import { eventStream } from '@parley/domain/events/stream';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const NAME = 'announcement';
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
    startConsumers(context, stopper);
    startAppRemoval(context, stopper);
    mountRpc(server, context, startTimers(context, stopper));
  },
});
