import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** A cookie that scripts cannot read, for the console at one origin. */
type CookieOptions = { origin: string; name: string; sameSite: 'strict' | 'lax' };

/**
 * By https the name has the prefix that makes browsers refuse the cookie from other hosts and without encryption. Programs on
 * different ports of one machine share cookies, so that the name has the port there.
 */
function fullNameOf({ origin, name }: Pick<CookieOptions, 'origin' | 'name'>): string {
  const { protocol, port } = new URL(origin);
  if (protocol === 'https:') return `__Host-parley_${name}`;
  return port === '' ? `parley_${name}` : `parley_${name}_${port}`;
}

export function readCookie(
  { headers }: IncomingMessage,
  cookie: Pick<CookieOptions, 'origin' | 'name'>,
): string | undefined {
  return parseCookie(headers.cookie ?? '')[fullNameOf(cookie)] || undefined;
}

/** The value of Set-Cookie; a text of zero length deletes the cookie. `maxAge`: seconds. */
export function setCookie(cookie: CookieOptions, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: fullNameOf(cookie),
    value,
    httpOnly: true,
    secure: cookie.origin.startsWith('https:'),
    sameSite: cookie.sameSite,
    path: '/',
    maxAge: value === '' ? 0 : maxAge,
  });
}

/** The cookie of a console session. */
export function sessionCookie(origin: string): CookieOptions {
  return { origin, name: 'console', sameSite: 'strict' };
}
