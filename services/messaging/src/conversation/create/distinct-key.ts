import { createHash } from 'node:crypto';

/** The key of a distinct conversation: equal for the same set of users, in any order. */
export function distinctKey(userIds: Iterable<string>): Buffer {
  const sorted = [...new Set(userIds)].sort();
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
