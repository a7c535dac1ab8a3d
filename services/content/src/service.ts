import { eventStream } from '@parley/domain/events/stream';
import { startService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import type { Config } from './config.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context, type Overrides } from './context.ts';
import { startHttp } from './http/server.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const NAME = 'content';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context> & { address: { http_port: number } };

/** Starts the service; resolves when it answers. */
export async function createService(config: Config, overrides: Overrides = {}): Promise<Service> {
  let httpPort = 0;
  const service = await startService({
    name: NAME,
    config,
    migrations,
    stream: eventStream(config),
    open: (stopper) => createContext(config, overrides, stopper),
    async start(context, { server, stopper }) {
      const timers = startTimers(context, stopper);
      startConsumers(context, stopper, timers);
      startAppRemoval(context, stopper);
      mountRpc(server, context);
      const http = await startHttp(context);
      stopper.add('http', () => http.stop());
      httpPort = http.port;
    },
  });
  return { ...service, address: { ...service.address, http_port: httpPort } };
}
