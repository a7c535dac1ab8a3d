/** What a document takes from a row of the gateway's table of routes. */
export type DescribedRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** e.g. `/conversations/:conversation_id/messages`. */
  path: string;
  auth: 'session' | 'bearer' | 'none' | 'checked';
  accept?: 'api' | 'webhooks' | 'any';
  /** A 404 has an empty body. */
  emptyNotFound?: boolean;
  /** Of an Idempotency-Key on a route without authentication. */
  keyScope?: unknown;
  summary: string;
  /** The route in whose operation this one is described; the same for a user's route that servers use too. */
  describedAs?: string;
};

/** The key of an operation. */
export function operationKey({ method, path, describedAs }: DescribedRoute): string {
  return describedAs ?? `${method} ${path}`;
}

/** Whether the gateway reads a body, even where the operation has none. */
export function takesBody({ method }: DescribedRoute): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Whether a request may carry an Idempotency-Key. */
export function isRepeatable({ method, auth, keyScope }: DescribedRoute): boolean {
  return method === 'POST' && (auth === 'session' || auth === 'bearer' || keyScope !== undefined);
}

/** A route as a document has it. */
export type ReachableRoute<R extends DescribedRoute = DescribedRoute> = {
  route: R;
  /** With `{}` around parameters. */
  path: string;
};

/**
 * The routes that requests can reach, with one name for each parameter of a path. Of routes with the same method and shape of
 * path the first serves all requests; of several names for a parameter the first route's counts.
 */
export function reachableRoutes<R extends DescribedRoute>(routes: readonly R[]): ReachableRoute<R>[] {
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
