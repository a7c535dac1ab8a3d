import type { History } from '../faults/history.ts';

/** The history of all of the parts. */
export function joined(...parts: readonly History[]): History {
  const read: History['read'] = new Map();
  for (const part of parts)
    for (const [user, ids] of part.read) read.set(user, new Set([...(read.get(user) ?? []), ...ids]));
  return {
    sent: parts.flatMap(({ sent }) => sent),
    read,
    announced: parts.flatMap(({ announced }) => announced),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

/** The history when all that a user sent was erased. */
export function withoutUser({ sent, ...history }: History, userId: string): History {
  return { ...history, sent: sent.map((one) => ({ ...one, deleted: one.deleted || one.sender === userId })) };
}
