import type { Histogram, Metrics } from '@parley/kit/runtime/telemetry/metrics';

export type Observation = {
  method: string;
  /** Path of the route, since the path of the request may hold a session token. */
  route: string;
  status: number;
  /** From the head of the request to its answer. */
  ms: number;
};

/** Counts a finished request. */
export function createObserve(metrics: Metrics): (observation: Observation) => void {
  const seconds = metrics.histogram({
    name: 'http_server_seconds',
    help: 'Time from the head of a request to its answer, by row of the route table.',
    labelNames: ['method', 'route', 'status'],
  });
  const children = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  return ({ method, route, status, ms }) => {
    const key = `${method} ${status} ${route}`;
    let child = children.get(key);
    if (!child) children.set(key, (child = seconds.labels(method, route, String(status))));
    child.observe(ms / 1000);
  };
}
