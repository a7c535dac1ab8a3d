import { Code, ConnectError } from '@connectrpc/connect';
import { eventStream } from '@parley/domain/events/stream';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const NAME = 'export';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context>;

/** Starts the service; resolves when it answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  open: createContext,
  start(context, { server, stopper }) {
    startConsumers(context, stopper);
    startAppRemoval(context, stopper);
    startTimers(context, stopper);
    stopper.add('runs', () =>
      context.stopping.abort(new ConnectError('the service is stopping', Code.Unavailable)),
    );
    mountRpc(server, context);
  },
});
