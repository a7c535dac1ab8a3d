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

/** Problem: participant_blocked when one of the users blocks the calling user. A server may add any user. */
export async function requireUnblocked(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
  userIds: readonly string[],
): Promise<void> {
  if (!userId || userIds.length === 0) return;
  const blockers = await listBlockers(sql, { appId, blockedUserId: userId, userIds });
  if (blockers.length > 0) fail('participant_blocked', { property: 'participants' });
}

export function failTooManyParticipants(limit: number): never {
  return failParticipants(`A conversation has at most ${limit} participants.`);
}

export function failParticipants(message: string): never {
  return fail('invalid_property', { property: 'participants', message });
}
