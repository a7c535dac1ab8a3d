/**
 * The entry of a list of push services of browsers that an endpoint belongs to: a host, or `*.` and the domain of hosts below it.
 * Undefined: none, or the endpoint is no `https://` address.
 */
export function knownPushHost(patterns: readonly string[], endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:') return undefined;
  const { hostname } = url;
  return patterns.find((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}
