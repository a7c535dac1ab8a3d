import { fail } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import { listBlockers } from '../sql/identity/block-copy.ts';
import type { IdentityRow } from '../sql/identity/identity-copy.ts';

/** Problem: invalid_property (participants) unless each of the users has an identity. */
export function requireIdentities(
  userIds: readonly string[],
  identities: ReadonlyMap<string, IdentityRow>,
): IdentityRow[] {
  return userIds.map(
    (userId) => identities.get(userId) ?? failParticipants(`The user ${userId} does not exist.`),
  );
}

/** Those of the users who block the calling user. A server, whose user id is empty, may add any user. */
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

export function failTooManyParticipants(limit: number): never {
  return failParticipants(`A conversation has at most ${limit} participants.`);
}

export function failParticipants(message: string): never {
  return fail('invalid_property', { property: 'participants', message });
}
