import { Code, ConnectError } from '@connectrpc/connect';
import { eventStream } from '@parley/domain/event-stream';
import { serveMetrics } from '@parley/kit/metrics';
import { migrate } from '@parley/kit/migrate';
import { createStopper, type Running, type Stopper } from '@parley/kit/process';
import { createRpcServer } from '@parley/kit/rpc-server';
import { startTracing } from '@parley/kit/tracing';
import type { Config } from './config.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context, type Overrides } from './context.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';

export const migrations = new URL('../migrations/', import.meta.url);

const RPC_GRACE_MS = 10_000;

export type Service = Running & {
  address: { rpc_port: number; metrics_port: number };
  context: Context;
};

/** Resolves when the service answers; what was opened is closed again when it cannot start. */
export async function createService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const stopper = createStopper();
  try {
    return await start(config, overrides, stopper);
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function start(config: Config, overrides: Overrides, stopper: Stopper): Promise<Service> {
  stopper.add('tracing', await startTracing({ service: 'export', endpoint: config.otlpEndpoint }));
  const context = await createContext(config, overrides, stopper);
  const { log, metrics } = context;
  await migrate({ url: config.databaseUrl, dir: migrations, log });
  await context.bus.ensureStream(
    eventStream({ replicas: config.streamReplicas, maxBytes: config.streamMaxBytes }),
  );
  startConsumers(context, stopper);
  startTimers(context, stopper);
  stopper.add('runs', () => context.stopping.abort(new ConnectError('the service stops', Code.Unavailable)));
  const server = createRpcServer({ log, metrics, secret: config.rpcSecret });
  mountRpc(server, context);
  const rpcPort = await server.listen(config.rpcPort);
  stopper.add('rpc', () => server.stop(RPC_GRACE_MS));
  const ready = (): Promise<boolean> => isReady(context);
  const metricsServer = await serveMetrics({ port: config.metricsPort, metrics, ready });
  stopper.add('metrics', () => metricsServer.stop());
  return {
    context,
    address: { rpc_port: rpcPort, metrics_port: metricsServer.port },
    stop: () => stopper.stop(),
  };
}

async function isReady({ db }: Context): Promise<boolean> {
  return (await db.execute({ text: 'select 1' })) === 1;
}
