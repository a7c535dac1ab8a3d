import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startInterval, startTimeout } from '@parley/kit/clock';
import { isNear } from '@parley/kit/clock/followed-clock';
import { serveMetrics } from '@parley/kit/telemetry/metrics';
import { createStopper, type Running, type Stopper } from '@parley/kit/process';
import { startTracing } from '@parley/kit/telemetry/tracing';
import type { Config } from './config.ts';
import { createContext, type GatewayContext, type Overrides } from './context.ts';
import { createConsoleServer, createHttpServer } from './http/server.ts';
import { startLive } from './live/index.ts';
import { mountSockets } from './socket/index.ts';

export type Service = Running & {
  /** -1: that port is not listened on. */
  address: { http_port: number; metrics_port: number; console_port: number };
  ports: { http: number; metrics: number; console: number };
  context: GatewayContext;
};

const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;

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
  const server = createHttpServer(context);
  stopper.add('http', () => drain(server));
  const sockets = mountSockets(server, context, live);
  stopper.add('sockets', () => sockets.stop());
  server.listen(config.httpPort);
  await once(server, 'listening');
  const consolePort = await startConsole(context, stopper);
  const { metrics } = context;
  const metricsServer = await serveMetrics({
    port: config.metricsPort,
    host: config.internalHost,
    metrics,
    ready: () => server.listening && context.bus.takesLargest && isRight(context),
  });
  stopper.add('metrics', () => metricsServer.stop());
  const ports = { http: portOf(server), metrics: metricsServer.port, console: consolePort };
  function stop() {
    return stopper.stop();
  }
  const address = { http_port: ports.http, metrics_port: ports.metrics, console_port: ports.console };
  return { context, ports, address, stop };
}

/** Listens on the port of the console and the administration API; gives the port, or -1 without one. */
async function startConsole(context: GatewayContext, stopper: Stopper): Promise<number> {
  const { consolePort } = context.config;
  if (consolePort === -1) return -1;
  const server = createConsoleServer(context);
  stopper.add('console', () => drain(server));
  server.listen(consolePort);
  await once(server, 'listening');
  return portOf(server);
}

/** Whether the machine's clock is near that of identity's database. */
function isRight({ followedClock }: GatewayContext): boolean {
  return followedClock === undefined || isNear(followedClock);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Takes no new connection, lets the requests under way end, and cuts what is left after a while. */
async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const endIdle = startInterval(CLOSE_IDLE_EVERY_MS, () => server.closeIdleConnections());
  const cancelForce = startTimeout(DRAIN_MS, () => server.closeAllConnections());
  await closed;
  endIdle();
  cancelForce();
}
