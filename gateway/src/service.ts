import { isNear } from '@parley/kit/runtime/clock/followed-clock';
import { serveMetrics } from '@parley/kit/http/metrics-server';
import { createStopper, type Running, type Stopper } from '@parley/kit/runtime/process';
import { startTracing } from '@parley/kit/runtime/telemetry/tracing';
import type { Config } from './config.ts';
import { createContext, type GatewayContext, type Overrides } from './context.ts';
import { createHttpServer } from './api/http/server.ts';
import { startLive } from './realtime/live/index.ts';
import { mountSockets } from './realtime/socket/index.ts';

export type Service = Running & {
  /** -1: this port is not opened. */
  address: { http_port: number; metrics_port: number; console_port: number };
  ports: { http: number; metrics: number; console: number };
  context: GatewayContext;
};

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
  stopper.add('tracing', await startTracing({ service: 'gateway', endpoint: config.otlpEndpoint }));
  const context = await createContext(config, overrides, stopper);
  const live = startLive(context);
  stopper.add('live delivery', () => live.stop());
  const listener = createHttpServer(context, context.consoleServer?.onPublicListener);
  stopper.add('http', () => listener.stop());
  const sockets = mountSockets(listener.server, context, live);
  stopper.add('sockets', () => sockets.stop());
  const httpPort = await listener.listen(config.httpPort);
  const consolePort = await startConsole(context, stopper);
  const { metrics } = context;
  const metricsServer = await serveMetrics({
    port: config.metricsPort,
    host: config.internalHost,
    metrics,
    ready: () => listener.server.listening && context.bus.takesLargest && isRight(context),
  });
  stopper.add('metrics', () => metricsServer.stop());
  const ports = { http: httpPort, metrics: metricsServer.port, console: consolePort };
  function stop() {
    return stopper.stop();
  }
  const address = { http_port: ports.http, metrics_port: ports.metrics, console_port: ports.console };
  return { context, ports, address, stop };
}

/** Listens on the port of the console and the administration API; returns the port, or -1 without one. */
async function startConsole(context: GatewayContext, stopper: Stopper): Promise<number> {
  const { consoleServer, config } = context;
  const { consolePort = -1 } = config.console ?? {};
  if (!consoleServer || consolePort === -1) return -1;
  const listener = consoleServer.listener();
  stopper.add('console', () => listener.stop());
  return listener.listen(consolePort);
}

/** Whether the machine's clock is near that of identity's database. */
function isRight({ followedClock }: GatewayContext): boolean {
  return followedClock === undefined || isNear(followedClock);
}
