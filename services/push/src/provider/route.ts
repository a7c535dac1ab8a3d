import type { Config } from '../config.ts';

/** The push services that pushes are sent by. */
export type Provider = 'web';

/** How a token is reached. `target`: the name of its turns within the application. */
export type Route = { provider: Provider; target: string };

const OTHER = 'web other';

/** The route of a token; undefined when this service has none for its type. */
export function routeOf(
  { webHosts }: Pick<Config, 'webHosts'>,
  { type, token }: { type: string; token: string },
): Route | undefined {
  if (type !== 'web') return undefined;
  const pattern = knownHost(webHosts, token);
  return { provider: 'web', target: pattern === undefined ? OTHER : `web ${pattern}` };
}

/** The entry of the list of push services that an endpoint belongs to; undefined: none. */
export function knownHost(patterns: readonly string[], endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:') return undefined;
  const { hostname } = url;
  return patterns.find((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}
