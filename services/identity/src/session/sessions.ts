import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { newSecretToken } from './secret-token.ts';
import { deletePushTokens } from '../sql/push-token.ts';
import { deleteSessionsOfUser, insertSession } from '../sql/session.ts';
import type { UserKey } from '../sql/identity.ts';
import { insertRevocations } from '../sql/revocation.ts';

/** Sessions that one event names. */
const MAX_SESSIONS_PER_EVENT = 1000;

/** `incarnation`: of the user; undefined in what a release before has stored for a repeated login. */
export type OpenedSession = { token: string; expiresAt: number; incarnation?: number };

/** Opens a session and returns its token, which is stored as a hash alone. */
export async function openSession(
  ctx: Context,
  tx: Tx,
  user: UserKey & { ttlInSeconds: number },
): Promise<OpenedSession> {
  const createdAt = ctx.clock.now();
  const expiresAt = createdAt + user.ttlInSeconds * 1000;
  const { token, hash } = newSecretToken();
  const { appId, userId } = user;
  await insertSession(tx, { id: ctx.newId(), appId, userId, tokenHash: hash, createdAt, expiresAt });
  return { token, expiresAt };
}

/** Publishes the end of sessions that are deleted already: to gateways by revocations, to sockets by an event. */
export async function publishSessionsEnded(
  ctx: Context,
  tx: Tx,
  user: UserKey,
  sessionIds: string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const { appId, userId } = user;
  const subjects = sessionIds.map((sessionId) => ({ sessionId }));
  await insertRevocations(tx, { appId, subjects, now: ctx.clock.now() });
  const pages = Array.from({ length: Math.ceil(sessionIds.length / MAX_SESSIONS_PER_EVENT) }, (_, page) =>
    sessionIds.slice(page * MAX_SESSIONS_PER_EVENT, (page + 1) * MAX_SESSIONS_PER_EVENT),
  );
  for (const ids of pages)
    await ctx.journal.add(tx, { kind: 'sessions.ended', appId, userId, sessionIds: ids });
  const drafts = pages.map((ids) => ({
    appId,
    liveUserId: userId,
    body: { case: 'sessionsEnded' as const, value: { userId, sessionIds: ids } },
  }));
  await ctx.emit(tx, ...drafts);
}

/** Ends all sessions of a user, and the pushes to all devices; returns how many sessions there were. */
export async function endSessionsOfUser(ctx: Context, tx: Tx, user: UserKey): Promise<number> {
  const ids = await deleteSessionsOfUser(tx, user.appId, user.userId);
  await deletePushTokens(tx, user);
  await publishSessionsEnded(ctx, tx, user, ids);
  return ids.length;
}

/** Makes gateways forget what they have cached of a user. */
export async function revokeUser(ctx: Context, tx: Tx, { appId, userId }: UserKey): Promise<void> {
  await insertRevocations(tx, { appId, subjects: [{ userId }], now: ctx.clock.now() });
}

/** Makes gateways forget what they have cached of an application: its settings and its users' tokens. */
export async function revokeApp(ctx: Context, tx: Tx, appId: string): Promise<void> {
  await insertRevocations(tx, { appId, subjects: [{}], now: ctx.clock.now() });
}
