import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress, isLoopbackName } from '@parley/kit/runtime/loopback';

/** The listener that a request came to: that of clients, or that of the console and the administration API. */
export type Listener = 'public' | 'console';

/** The origin of the console for a request; undefined where the console is not served to it. */
export type OriginCheck = (req: IncomingMessage) => string | undefined;

/**
 * `consoleUrl` of https: requests by its host name have it as their origin. `consoleUrl` of this machine, without encryption:
 * requests by any name of this machine have that name; none that a proxy passed on, and on the public listener none of other
 * machines. Cookies of the console travel in no other case. docs/console.md#where-it-is-served
 */
export function createOriginCheck(consoleUrl: string | undefined, listener: Listener): OriginCheck {
  const own = consoleUrl === undefined ? undefined : new URL(consoleUrl);
  return (req) => {
    const asked = own && addressedUrl(req);
    if (!asked) return undefined;
    if (own.protocol === 'https:') return asked.hostname === own.hostname ? own.origin : undefined;
    const isLocal = listener === 'console' || isLoopbackAddress(req.socket.remoteAddress);
    return isLocal && !isPassedOn(req) && isLoopbackName(asked.hostname) ? asked.origin : undefined;
  };
}

function addressedUrl({ headers: { host } }: IncomingMessage): URL | undefined {
  return URL.parse(`http://${host ?? ''}`) ?? undefined;
}

function isPassedOn({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}
