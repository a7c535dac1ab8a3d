/** What a document takes from a row of the gateway's table of routes. */
export type DescribedRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** e.g. `/conversations/:conversation_id/messages`. */
  path: string;
  auth: 'session' | 'bearer' | 'none' | 'checked';
  accept?: 'api' | 'webhooks' | 'any';
  /** A 404 has an empty body. */
  emptyNotFound?: boolean;
  summary: string;
  /** The route in whose operation this one is described; the same for a user's route that servers use too. */
  describedAs?: string;
};

/** The key of an operation. */
export function operationKey({ method, path, describedAs }: DescribedRoute): string {
  return describedAs ?? `${method} ${path}`;
}
