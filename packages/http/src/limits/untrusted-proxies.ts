import type { IncomingMessage, Server } from 'node:http';
import { entryFromEnd } from '@parley/kit/flow/limits/client-address';
import type { Logger } from '@parley/kit/runtime/telemetry/log';

type Options = { trustedProxies: number; log: Logger };

/**
 * Warns once in the life of a server when X-Forwarded-For does not fit the number of trusted proxies: limits by address
 * then count all clients behind a proxy as one, or believe an address that a client made up.
 */
export function warnOfUntrustedProxies(server: Server, { trustedProxies, log }: Options): void {
  function look({ headers, socket }: IncomingMessage): void {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return;
    if (trustedProxies > 0 && entryFromEnd(forwarded, trustedProxies) !== undefined) return;
    const entries = String(forwarded).split(',').length;
    server.off('request', look);
    server.off('upgrade', look);
    const fields = { peer: socket.remoteAddress, entries, trustedProxies };
    log.warn(fields, trustedProxies === 0 ? UNTRUSTED : TOO_FEW);
  }
  server.on('request', look);
  server.on('upgrade', look);
}

const UNTRUSTED =
  'X-Forwarded-For from an untrusted peer is ignored; set PARLEY_TRUSTED_PROXIES to the number of proxies in front';
const TOO_FEW =
  'X-Forwarded-For has fewer entries than PARLEY_TRUSTED_PROXIES; set it to the number of proxies in front';
