import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { deleteConsoleSession } from '../sql/console-session.ts';
import { deleteTokensOfConsoleSession } from '../sql/console-token.ts';
import { insertRevocations } from '../sql/revocation.ts';

export type ConsolePerson = { issuer: string; subject: string };

/**
 * Ends a session and its application tokens; only one of the named person, if given. Returns the session's person, or undefined without
 * such a session.
 */
export async function endSession(
  ctx: Context,
  tx: Tx,
  { id, person }: { id: string; person?: ConsolePerson },
): Promise<ConsolePerson | undefined> {
  const ended = await deleteConsoleSession(tx, { id, person });
  if (!ended) return undefined;
  await ctx.journal.add(tx, { kind: 'console_session.ended', id });
  for (const token of await deleteTokensOfConsoleSession(tx, id)) {
    await ctx.journal.add(tx, { kind: 'access_token.deleted', id: token.id });
    const subjects = [{ accessTokenId: token.id }];
    await insertRevocations(tx, { appId: token.app_id, subjects, now: ctx.clock.now() });
  }
  return ended;
}
