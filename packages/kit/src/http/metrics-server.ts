import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { createListener } from './listener.ts';
import { withoutSlash } from './target.ts';
import type { Metrics } from '../runtime/telemetry/metrics.ts';

export type MetricsServerOptions = {
  /** 0: any free port; -1: no listener. */
  port: number;
  host?: string | undefined;
  metrics: Metrics;
  /** Whether the process can work now; called at each probe. A throw counts as false. */
  ready(): boolean | Promise<boolean>;
};

export type MetricsServer = { port: number; stop(): Promise<void> };

/** How often the event loop is measured. The default of 10 ms would wake an idle process a hundred times a second. */
const EVENT_LOOP_SAMPLE_MS = 100;

const WITH_PROCESS_METRICS = new WeakSet<Registry>();

/** Serves `/metrics`, `/healthz` (the process answers) and `/readyz` (200 when ready, else 503). */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  if (options.port < 0) return { port: -1, stop: () => Promise.resolve() };
  const { registry } = options.metrics;
  if (!WITH_PROCESS_METRICS.has(registry))
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  WITH_PROCESS_METRICS.add(registry);
  const listener = createListener({
    name: 'metrics',
    answer: ({ req, res, target }) =>
      answer({ req, res, path: withoutSlash(target.path) }, options).catch(() => {
        if (res.headersSent) res.destroy();
        else end(res, 500, 'error');
      }),
    failed: () => undefined,
  });
  const port = await listener.listen(options.port, options.host ?? '0.0.0.0');
  return { port, stop: () => listener.stop() };
}

const PATHS = ['/metrics', '/healthz', '/readyz'];

type Asked = { req: IncomingMessage; res: ServerResponse; path: string };

async function answer({ req, res, path }: Asked, options: MetricsServerOptions): Promise<void> {
  const { registry } = options.metrics;
  if (!PATHS.includes(path)) return end(res, 404, 'not found');
  if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req, res);
  if (path === '/metrics') return end(res, 200, await registry.metrics(), registry.contentType);
  if (path === '/healthz') return end(res, 200, 'ok');
  const ready = await Promise.resolve()
    .then(() => options.ready())
    .catch(() => false);
  return end(res, ready ? 200 : 503, ready ? 'ready' : 'not ready');
}

function refuseMethod({ method }: IncomingMessage, res: ServerResponse): void {
  res.setHeader('allow', 'GET, HEAD, OPTIONS');
  if (method === 'OPTIONS') return void res.writeHead(204).end();
  return end(res, 405, 'method not allowed');
}

function end(res: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  res.writeHead(status, { 'content-type': type }).end(body);
}
