import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import {
  deletePublishers,
  listLostPublishers,
  listTails,
  upsertPublisher,
} from '../sql/log/live-publisher.ts';

/** Changes that this process is about to commit and publish. */
export type LostTails = {
  readonly id: string;
  /** Notes changes before their commit; the result is called once their events are published. */
  begin(changes: readonly { event: Pick<Event, 'createdAt'> }[]): () => void;
  /** The time before which everything that this process committed is published. Milliseconds since the epoch. */
  publishedUntil(): number;
};

/** Longer than any transaction: changes that are not published by then were rolled back. */
const LONGEST_MS = 10_000;
/** From then on a process that was not seen counts as lost; its row stays as long again, since it may still be committing. */
const LOST_AFTER_MS = 4_000;
const FORGOTTEN_AFTER_MS = 10_000;

export function createLostTails(now: () => number): LostTails {
  const unpublished = new Set<{ createdAt: number }>();
  return {
    id: randomUUID(),
    begin(changes) {
      const note = { createdAt: changes[0]?.event.createdAt ?? now() };
      unpublished.add(note);
      return () => void unpublished.delete(note);
    },
    publishedUntil() {
      const at = now();
      let until = at;
      for (const note of unpublished) {
        if (note.createdAt < at - LONGEST_MS) unpublished.delete(note);
        else until = Math.min(until, note.createdAt);
      }
      return until;
    },
  };
}

/** Records that this process is alive, and until when it has published all of its changes. */
export async function keepSeen({ db, lostTails }: Context): Promise<void> {
  await upsertPublisher(db, lostTails.id, lostTails.publishedUntil());
}

/**
 * A process that was killed between a commit and the publication leaves gateways without the last events of some
 * conversations. The heads of all conversations that changed at that time are published, so gateways read the rest.
 */
export async function publishLostTails({ db, heads, lostTails }: Context): Promise<void> {
  const lost = (await listLostPublishers(db, LOST_AFTER_MS)).filter(({ id }) => id !== lostTails.id);
  if (lost.length === 0) return;
  const since = Math.min(...lost.map(({ published_until }) => published_until));
  const until = Math.max(...lost.map(({ published_until }) => published_until)) + LONGEST_MS;
  for (const row of await listTails(db, { since, until })) {
    const { app_id: appId, conversation_id: conversationId, audience_shards: shards } = row;
    for (const seq of [row.first_seq, row.seq]) heads.note({ appId, conversationId, seq, shards });
  }
  const forgotten = lost.filter(({ unseenMs }) => unseenMs > FORGOTTEN_AFTER_MS);
  await deletePublishers(db, forgotten.map(({ id }) => id)); // prettier-ignore
}
