import type { Wire } from '@parley/domain/wire';

/** The token of a request, and its kind. */
export type Credentials = { kind: 'session' | 'bearer'; token: string };

export type ReadCredentials = (authorization: string | undefined) => Credentials | undefined;

const BEARER = /^bearer +(\S+) *$/i;

/** Reads an Authorization header: `Svc session-token="…"`, the token in either quotes or bare, or `Bearer …`. */
export function createReadCredentials({ authScheme }: Wire): ReadCredentials {
  const session = new RegExp(
    `^${authScheme} +session-token *= *(?:"([^"\\s]+)"|'([^'\\s]+)'|([^"'\\s]+)) *$`,
    'i',
  );
  return (authorization = '') => {
    const sessionMatch = session.exec(authorization);
    const sessionToken = sessionMatch?.[1] ?? sessionMatch?.[2] ?? sessionMatch?.[3];
    if (sessionToken) return { kind: 'session', token: sessionToken };
    const accessToken = BEARER.exec(authorization)?.[1];
    return accessToken ? { kind: 'bearer', token: accessToken } : undefined;
  };
}
