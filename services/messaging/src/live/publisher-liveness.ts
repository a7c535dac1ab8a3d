import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@parley/kit/runtime/clock';
import { eachApart } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { listHeads } from '../sql/conversation/head.ts';
import { upsertPublisher } from '../sql/log/live-publisher.ts';

type NotedChange = { event: Pick<Event, 'appId' | 'conversationId' | 'seq' | 'createdAt'> };

/** The end of a note. */
export type Tail = {
  /** The events are published, or their changes were not written. */
  published(): void;
  /** The answer to the commit was lost: the changes may be stored, or be stored in a moment. */
  doubt(): void;
};

/** The first change of a conversation that one commit without an answer may have stored. `since`: by `elapsed` of the clock. */
export type Doubt = { appId: string; conversationId: string; seq: number; since: number; settle(): void };

/** Changes that this process is about to commit and publish. */
export type PublisherLiveness = {
  readonly id: string;
  /** Notes changes before their commit. */
  begin(changes: readonly NotedChange[]): Tail;
  /** Doubts that are not settled yet. */
  doubts(): readonly Doubt[];
  /** The time before which everything that this process committed is published. Milliseconds since the epoch. */
  publishedUntil(): number;
};

/** A time longer than any transaction: changes that are not published by then were rolled back. */
export const LONGEST_MS = 10_000;
/** Doubts whose conversations one statement reads. */
const DOUBTS_AT_ONCE = 500;

type Note = { createdAt: number; inDoubt: number };

export function createPublisherLiveness({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>): PublisherLiveness {
  const unpublished = new Set<Note>();
  const doubts = new Set<Doubt>();

  /** Keeps the note until it is settled: if this process dies, another process looks for everything that was committed from then on. */
  function doubt(note: Note, changes: readonly NotedChange[]): void {
    const firsts = new Map<string, NotedChange['event']>();
    for (const { event } of changes) {
      const key = `${event.appId}/${event.conversationId}`;
      if (!firsts.has(key)) firsts.set(key, event);
    }
    note.inDoubt = firsts.size;
    for (const { appId, conversationId, seq } of firsts.values()) {
      const settle = (): void => {
        if (doubts.delete(one) && --note.inDoubt === 0) unpublished.delete(note);
      };
      const one: Doubt = { appId, conversationId, seq, since: elapsed(), settle };
      doubts.add(one);
    }
  }

  return {
    id: randomUUID(),
    begin(changes) {
      const note = { createdAt: changes[0]?.event.createdAt ?? now(), inDoubt: 0 };
      unpublished.add(note);
      return {
        published: () => void unpublished.delete(note),
        doubt: () => doubt(note, changes),
      };
    },
    doubts: () => [...doubts],
    publishedUntil() {
      const at = now();
      let until = at;
      for (const note of unpublished) {
        if (note.inDoubt === 0 && note.createdAt < at - LONGEST_MS) unpublished.delete(note);
        else until = Math.min(until, note.createdAt);
      }
      return until;
    },
  };
}

/** Records that this process is alive, and until when it has published all of its changes. */
export async function keepSeen({ db, publisherLiveness }: Context): Promise<void> {
  await upsertPublisher(db, publisherLiveness.id, publisherLiveness.publishedUntil());
}

/**
 * Publishes the heads of conversations that a commit without an answer may have changed, once their stored number shows that it did,
 * so that gateways read what they were not told. What is not stored after the longest time that a transaction takes was rolled back.
 */
export async function tellDoubtful(ctx: Context): Promise<void> {
  const doubts = ctx.publisherLiveness.doubts();
  const pages = Array.from({ length: Math.ceil(doubts.length / DOUBTS_AT_ONCE) }, (_, page) =>
    doubts.slice(page * DOUBTS_AT_ONCE, (page + 1) * DOUBTS_AT_ONCE),
  );
  await eachApart(pages, (page) => tellPage(ctx, page));
}

async function tellPage({ db, epochs, heads, clock }: Context, doubts: readonly Doubt[]): Promise<void> {
  const stored = await listHeads(db, doubts);
  doubts.forEach((doubt, index) => {
    const { appId, conversationId, seq: firstSeq } = doubt;
    const { seq = 0, audience_shards: shards = '' } = stored[index] ?? {};
    const isStored = seq >= firstSeq;
    const epoch = epochs.current();
    if (isStored)
      for (const one of [firstSeq, seq]) heads.note({ appId, conversationId, seq: one, shards, epoch });
    if (isStored || clock.elapsed() - doubt.since > LONGEST_MS) doubt.settle();
  });
}
