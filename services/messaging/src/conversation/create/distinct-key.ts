import { createHash } from 'node:crypto';

/**
 * The key of a distinct conversation: equal for the same set of persons, in any order. `participationsFrom`: of users who were
 * erased and came back, since when they are another person, by user id; that person does not find conversations of the first one.
 * `type`: conversations are distinct within it; null is `default`.
 */
export function distinctKey(
  userIds: Iterable<string>,
  participationsFrom: ReadonlyMap<string, number> = new Map(),
  type: string | null = null,
): Buffer {
  const sorted = [...new Set(userIds)].sort().map((userId) => {
    const from = participationsFrom.get(userId) ?? 0;
    return from === 0 ? userId : [userId, from];
  });
  const key = type === null ? sorted : { type, users: sorted };
  return createHash('sha256').update(JSON.stringify(key)).digest();
}
