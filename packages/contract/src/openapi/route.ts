import type { ApiRoute } from '../api/routes.ts';

/** Whether the gateway reads a body, even where the operation has none. */
export function takesBody({ method }: Pick<ApiRoute, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Whether a request may carry an Idempotency-Key. */
export function isRepeatable({
  method,
  auth,
  keyOwner,
}: Pick<ApiRoute, 'method' | 'auth' | 'keyOwner'>): boolean {
  return method === 'POST' && (auth === 'session' || auth === 'bearer' || keyOwner !== undefined);
}

/** A route as a document has it. */
export type ReachableRoute = {
  route: ApiRoute;
  /** Path with `{}` around parameters. */
  path: string;
};

/**
 * The routes that requests can reach, with one name for each parameter of a path. Of routes with the same method and shape of
 * path the first serves all requests; of several names for a parameter the first route's counts.
 */
export function reachableRoutes(routes: readonly ApiRoute[]): ReachableRoute[] {
  const paths = new Map<string, string>();
  const seen = new Set<string>();
  return routes.flatMap((route) => {
    const shape = route.path.replace(/:\w+/g, ':');
    if (seen.has(`${route.method} ${shape}`)) return [];
    seen.add(`${route.method} ${shape}`);
    const path = paths.get(shape) ?? route.path.replace(/:(\w+)/g, '{$1}');
    paths.set(shape, path);
    return [{ route, path }];
  });
}
