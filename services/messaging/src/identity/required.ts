import { fail } from '@parley/domain/problems';
import type { Sql, Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { listBlockers } from '../sql/identity/block-copy.ts';
import { holdIdentities, type IdentityRow } from '../sql/identity/identity-copy.ts';

/** Problem: invalid_property (participants) unless each of the users has an identity. */
export function requireIdentities(
  userIds: readonly string[],
  identities: ReadonlyMap<string, IdentityRow>,
): IdentityRow[] {
  return userIds.map((userId) => identities.get(userId) ?? failMissing(userId));
}

/**
 * Checks, in the transaction that adds users, the identities that were read before it. Problem: invalid_property (participants) when one was
 * deleted or erased meanwhile: the addition was of that person, and not of the next one with the user id.
 */
export async function requireUnerased(
  tx: Tx,
  appId: string,
  added: readonly Pick<BasicIdentity, 'userId' | 'incarnation'>[],
): Promise<void> {
  if (added.length === 0) return;
  const rows = await holdIdentities(tx, { appId, userIds: added.map(({ userId }) => userId) });
  const present = new Map(rows.map((row) => [row.user_id, row]));
  for (const { userId, incarnation } of added) {
    const row = present.get(userId);
    if (!row || row.deleted || row.incarnation > incarnation) failMissing(userId);
  }
}

/** Finds those of the users who block the calling user. A server, whose user id is empty, may add any user. */
export async function findBlockers(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!userId || userIds.length === 0) return new Set();
  return new Set(await listBlockers(sql, { appId, blockedUserId: userId, userIds }));
}

/** Problem: participant_blocked when one of the users is among the blockers. */
export function requireUnblocked(userIds: readonly string[], blockers: ReadonlySet<string>): void {
  if (userIds.some((userId) => blockers.has(userId)))
    fail('participant_blocked', { property: 'participants' });
}

function failMissing(userId: string): never {
  return failParticipants(`The user ${userId} does not exist.`);
}

export function failTooManyParticipants(limit: number): never {
  return failParticipants(`A conversation has at most ${limit} participants.`);
}

export function failParticipants(message: string): never {
  return fail('invalid_property', { property: 'participants', message });
}
