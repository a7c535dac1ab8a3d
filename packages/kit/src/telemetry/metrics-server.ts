import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { contain } from '../contain.ts';
import type { Metrics } from './metrics.ts';

export type MetricsServerOptions = {
  /** 0: any free port; -1: nothing is served. */
  port: number;
  host?: string | undefined;
  metrics: Metrics;
  /** Whether the process can do its work now; asked at each probe. A throw counts as no. */
  ready(): boolean | Promise<boolean>;
};

export type MetricsServer = { port: number; stop(): Promise<void> };

/** How often the event loop is timed. The default, every 10 ms, wakes an idle process a hundred times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

const WITH_PROCESS_METRICS = new WeakSet<Registry>();

/** Serves `/metrics`, `/healthz` (the process answers) and `/readyz` (200 when ready, else 503). */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  if (options.port < 0) return { port: -1, stop: () => Promise.resolve() };
  const { registry } = options.metrics;
  if (!WITH_PROCESS_METRICS.has(registry))
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  WITH_PROCESS_METRICS.add(registry);
  const server = createServer((req, res) => {
    contain(
      () => answer(req.url?.split('?')[0], res, options),
      () => void (res.headersSent ? res.destroy() : end(res, 500, 'error')),
    );
  });
  server.listen(options.port, options.host ?? '0.0.0.0');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}

async function answer(path: string | undefined, res: ServerResponse, options: MetricsServerOptions) {
  const { registry } = options.metrics;
  if (path === '/metrics') return end(res, 200, await registry.metrics(), registry.contentType);
  if (path === '/healthz') return end(res, 200, 'ok');
  if (path !== '/readyz') return end(res, 404, 'not found');
  const ready = await Promise.resolve()
    .then(() => options.ready())
    .catch(() => false);
  return end(res, ready ? 200 : 503, ready ? 'ready' : 'not ready');
}

function end(res: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  res.writeHead(status, { 'content-type': type }).end(body);
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
