/**
 * The entry for an endpoint in a list of browser push services: a host, or `*.` and the domain of hosts below it. Undefined: there is none,
 * or the endpoint is no `https://` address.
 */
export function knownPushHost(patterns: readonly string[], endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:') return undefined;
  const { hostname } = url;
  return patterns.find((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}
