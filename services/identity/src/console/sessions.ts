import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { hashToken, newSecretToken } from '../session/secret-token.ts';
import {
  insertConsoleSession,
  useConsoleSession,
  type ConsoleSessionRow,
  type NewConsoleSession,
} from '../sql/console-session.ts';

const HOUR_SECONDS = 3_600;

/** How long a session lasts without use, and at most. Roles from an identity provider are valid for an hour. */
export const LIFETIMES = {
  code: { idleSeconds: 2 * HOUR_SECONDS, seconds: 12 * HOUR_SECONDS },
  oidc: { idleSeconds: HOUR_SECONDS / 2, seconds: HOUR_SECONDS },
} as const;

export type Opening = Pick<NewConsoleSession, 'issuer' | 'subject' | 'name' | 'roles'> & {
  method: keyof typeof LIFETIMES;
};

/** Opens a session, with an entry in the audit log, and returns its token, of which only a hash is stored. */
export async function openConsoleSession(
  ctx: Context,
  tx: Tx,
  opening: Opening,
): Promise<{ session: ConsoleSessionRow; token: string }> {
  const { token, hash } = newSecretToken();
  const { idleSeconds, seconds } = LIFETIMES[opening.method];
  const now = ctx.clock.now();
  const id = ctx.newId();
  const { issuer, subject, method } = opening;
  const action = `console_session.opened_by_${method}`;
  await audit(ctx, tx, { action, actor: 'admin', subject: id, person: { issuer, subject } });
  const session = await insertConsoleSession(tx, {
    ...opening,
    id,
    tokenHash: hash,
    idleSeconds,
    now,
    expiresAt: now + seconds * 1_000,
  });
  return { session, token };
}

/** The session of a token, used now. Problems: authentication_required. */
export async function resumeSession({ db, clock }: Context, token: string): Promise<ConsoleSessionRow> {
  return (
    (await useConsoleSession(db, hashToken(token), clock.now())) ??
    fail('authentication_required', { message: 'The console session has ended.' })
  );
}
