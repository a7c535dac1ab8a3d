import { isLoopbackName } from '@parley/kit/runtime/loopback';

/** The origin by which browsers reach the console; undefined: there is none. */
export function consoleOrigin({
  consoleUrl,
  publicUrl,
}: {
  consoleUrl: string | undefined;
  publicUrl: string;
}): string | undefined {
  if (consoleUrl !== undefined) return consoleUrl;
  const { hostname, origin } = new URL(publicUrl);
  return isLoopbackName(hostname) ? origin : undefined;
}
