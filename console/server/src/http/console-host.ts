import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

type Addresses = { consoleUrl: string | undefined; publicUrl: string };

/**
 * Whether a request names a host that is the console's alone. Hosts of this machine are none: one port serves all there.
 */
export function isConsoleHost({ headers }: IncomingMessage, { consoleUrl, publicUrl }: Addresses): boolean {
  const own = consoleUrl === undefined ? undefined : new URL(consoleUrl);
  if (own?.protocol !== 'https:' || own.hostname === new URL(publicUrl).hostname) return false;
  return URL.parse(`http://${headers.host ?? ''}`)?.hostname === own.hostname;
}

/** Serves other hosts than the console's: pages that are no part of it must not have its origin. */
export function exceptAtConsole(addresses: Addresses, handler: RequestHandler): RequestHandler {
  return (req, res, next) => (isConsoleHost(req, addresses) ? next() : handler(req, res, next));
}
