import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { deleteConsoleSession } from '../sql/console-session.ts';
import { deleteTokensOfConsoleSession } from '../sql/console-token.ts';
import { insertRevocations } from '../sql/revocation.ts';

export type ConsolePerson = { issuer: string; subject: string };

/** Ends a session, of one person only where one is named, with its tokens of applications; answers whose it was, or undefined without one. */
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
