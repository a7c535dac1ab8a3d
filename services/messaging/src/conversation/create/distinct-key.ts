import { createHash } from 'node:crypto';

/** What a distinct conversation is found by: the same for the same set of users, in whatever order. */
export function distinctKey(userIds: Iterable<string>): Buffer {
  const sorted = [...new Set(userIds)].sort();
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
