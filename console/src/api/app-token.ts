import { issueAppToken, type Access } from './console.ts';

type KeptToken = { token: string; issuedAt: number };

/** Tokens are valid for five minutes. By age, since the clock of this machine may differ from the platform's. */
const RENEW_AFTER_MS = 270_000;
/** They live here alone. */
const tokens = new Map<string, Promise<KeptToken>>();

/** A token for the server API of an application, valid for at least half a minute. */
export async function appToken(appUuid: string, access: Access): Promise<string> {
  const known = await tokens.get(keyOf(appUuid, access));
  if (known && performance.now() - known.issuedAt < RENEW_AFTER_MS) return known.token;
  const issued = issue(appUuid, access);
  tokens.set(keyOf(appUuid, access), issued);
  issued.catch(() => forgetAppToken(appUuid, access));
  return (await issued).token;
}

/** The next call gets another token. */
export function forgetAppToken(appUuid: string, access: Access): void {
  tokens.delete(keyOf(appUuid, access));
}

async function issue(appUuid: string, access: Access): Promise<KeptToken> {
  const issuedAt = performance.now();
  return { token: await issueAppToken(appUuid, access), issuedAt };
}

function keyOf(appUuid: string, access: Access): string {
  return `${access} ${appUuid}`;
}
