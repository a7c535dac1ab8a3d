import type { Wire } from '@parley/domain/wire';

/** The token of a request, and its kind. */
export type Credentials = { kind: 'session' | 'bearer'; token: string };

export type ReadCredentials = (authorization: string | undefined) => Credentials | undefined;

const SESSION = /^([a-z\d]+) +session-token *= *(?:"([^"\s]+)"|'([^'\s]+)'|([^"'\s]+)) *$/i;
const BEARER = /^bearer +(\S+) *$/i;

/** Reads an Authorization header: `Svc session-token="…"`, the token in either quotes or bare, or `Bearer …`. */
export function createReadCredentials({ authScheme }: Wire): ReadCredentials {
  const scheme = authScheme.toLowerCase();
  return (authorization = '') => {
    const [, given, ...tokens] = SESSION.exec(authorization) ?? [];
    const sessionToken = tokens.find((token) => token !== undefined);
    if (sessionToken && given?.toLowerCase() === scheme) return { kind: 'session', token: sessionToken };
    const accessToken = BEARER.exec(authorization)?.[1];
    return accessToken ? { kind: 'bearer', token: accessToken } : undefined;
  };
}
