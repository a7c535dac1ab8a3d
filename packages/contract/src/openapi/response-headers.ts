import { shared, type Registry } from './registry.ts';

/** A header that an answer always has is required; RateLimit is left out where no rate was exceeded. */
const HEADERS = {
  'X-Request-Id': { required: true, ...text('Names the request in logs.') },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: text(
    'The exhausted limit, what is left of it, and the seconds until there is room: `"session";r=0;t=1`.',
  ),
  'WWW-Authenticate': {
    required: true,
    ...text('The scheme that Authorization has to have: that of sessions, or `Bearer`.'),
  },
};

/** Headers of an error status, besides those of every answer. */
const OF_STATUS: Readonly<Record<number, readonly (keyof typeof HEADERS)[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit'],
  503: ['Retry-After'],
};

/** References to the headers that every answer of a status has. */
export function responseHeaders(status: number, registry: Registry): Record<string, object> {
  const names = ['X-Request-Id', ...(OF_STATUS[status] ?? [])] as const;
  return Object.fromEntries(
    names.map((name) => [name, shared(registry, 'headers', [name, HEADERS[name]])] as const),
  );
}

function text(description: string): object {
  return { description, schema: { type: 'string' } };
}
