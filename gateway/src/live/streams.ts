import { setTimeout as delay } from 'node:timers/promises';
import { isTooLarge } from '@parley/kit/rpc/byte-budget';
import { contain } from '@parley/kit/contain';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Head } from '@parley/proto/parley/live/v1/live_pb';
import type { Arrival } from './render/recipients.ts';

/** Puts the events of each conversation in order, and fetches what did not arrive, before they are delivered. */
export type ConversationStreams = {
  event(event: Event): void;
  /** `sentAt`: when the head was sent, by the log's clock; 0 where that is not known. */
  head(appId: string, head: Head, sentAt: number): void;
  /** Nobody of the app is connected any more: what happens next need not be followed. */
  forget(appId: string): void;
};

type Options = {
  deliver(event: Event, arrival: Arrival): void | Promise<void>;
  /** Events `first`..`last` of a conversation, in order; those that are gone come without a body. */
  fetch(appId: string, conversationId: string, first: number, last: number): Promise<Event[]>;
  isFollowed(appId: string): boolean;
  now(): number;
  failed(error: unknown): void;
};

type Stream = {
  appId: string;
  conversationId: string;
  /** Change number of the last event delivered; undefined until the first. */
  last: number | undefined;
  /** The first change number that was delivered here, or is to be; 0 while there is none. */
  begun: number;
  /** An earlier one to begin with, as soon as nothing is being delivered. */
  rewindTo: number | undefined;
  /** `aheadMs` of a delivery, measured by the last live event or head. */
  aheadMs: number | undefined;
  waiting: Map<number, Event>;
  /** The highest change number heard of. */
  known: number;
  busy: boolean;
};

/** How far back a conversation that was not followed until now is looked at: live events are repaired within seconds. */
const LOOK_BACK = 32;
const LOOK_BACK_MS = 5_000;
const PAGE_SIZE = 500;
const MAX_WAITING = 2_000;
const RETRY_MS = 250;
const MAX_STREAMS_PER_APP = 200_000;

export function createConversationStreams({
  deliver,
  fetch,
  isFollowed,
  now,
  failed,
}: Options): ConversationStreams {
  const apps = new Map<string, Map<string, Stream>>();

  function streamOf(appId: string, conversationId: string): Stream {
    let streams = apps.get(appId);
    if (!streams) apps.set(appId, (streams = new Map()));
    let stream = streams.get(conversationId);
    if (stream) return stream;
    stream = {
      ...{ appId, conversationId, last: undefined, begun: 0, rewindTo: undefined, aheadMs: undefined },
      ...{ waiting: new Map<number, Event>(), known: 0, busy: false },
    };
    if (streams.size >= MAX_STREAMS_PER_APP) streams.delete(streams.keys().next().value ?? '');
    streams.set(conversationId, stream);
    return stream;
  }

  async function settle(stream: Stream, work: Promise<void>): Promise<void> {
    stream.busy = true;
    try {
      await work;
    } catch (error) {
      failed(error);
      await delay(RETRY_MS);
    }
    stream.busy = false;
    if (isFollowed(stream.appId)) contain(() => drain(stream), failed);
  }

  function deliverEvent(stream: Stream, event: Event, repaired: boolean): void | Promise<void> {
    const done = deliver(event, { repaired, aheadMs: stream.aheadMs });
    if (!done) {
      stream.last = event.seq;
      return;
    }
    return done.then(() => {
      stream.last = event.seq;
    });
  }

  async function repair(stream: Stream, first: number, last: number, since: number): Promise<void> {
    const end = Math.min(last, first + PAGE_SIZE - 1);
    const { events, asked } = await fetchInHalves(stream, first, end);
    for (const event of events) {
      stream.waiting.delete(event.seq);
      if (event.createdAt < since) stream.begun = event.seq + 1;
      if (event.body.case && event.createdAt >= since) await deliverEvent(stream, event, true);
      else stream.last = event.seq;
    }
    // The log answers for all of a committed range; an empty answer must not be asked for again and again.
    if (events.length === 0) stream.last = asked;
  }

  /** What is too large for one answer is asked for by halves; one change that alone is too large can be told to nobody. */
  async function fetchInHalves(
    stream: Stream,
    first: number,
    last: number,
  ): Promise<{ events: Event[]; asked: number }> {
    try {
      return { events: await fetch(stream.appId, stream.conversationId, first, last), asked: last };
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (first < last) return fetchInHalves(stream, first, Math.floor((first + last) / 2));
      failed(error);
      return { events: [], asked: last };
    }
  }

  function missing(stream: Stream): Promise<void> | undefined {
    if (stream.last !== undefined && stream.waiting.has(stream.last + 1)) return;
    const next = Math.min(...stream.waiting.keys(), stream.known);
    if (stream.last === undefined) {
      stream.begun = Math.max(1, next - LOOK_BACK);
      if (next <= 1) return;
      // By the log's clock, as all times of events are.
      const createdAt = stream.waiting.get(next)?.createdAt ?? 0;
      return repair(stream, stream.begun, next - 1, createdAt - LOOK_BACK_MS);
    }
    const from = stream.last + 1;
    return repair(stream, from, Math.max(from, next - 1), 0);
  }

  /** Begins with an earlier change: what was delivered from there on is delivered again, in order. */
  function rewind(stream: Stream): void {
    if (stream.rewindTo === undefined) return;
    stream.begun = stream.rewindTo;
    stream.last = stream.rewindTo - 1;
    stream.rewindTo = undefined;
  }

  function drain(stream: Stream): void {
    rewind(stream);
    while (!stream.busy && stream.known > (stream.last ?? 0)) {
      const gap = missing(stream);
      if (gap) return void settle(stream, gap);
      const event = stream.waiting.get((stream.last ?? 0) + 1);
      if (!event) return void settle(stream, repair(stream, (stream.last ?? 0) + 1, stream.known, 0));
      stream.waiting.delete(event.seq);
      const done = deliverEvent(stream, event, false);
      if (done) return void settle(stream, done);
    }
  }

  return {
    event(event) {
      if (!isFollowed(event.appId)) return;
      const stream = streamOf(event.appId, event.conversationId);
      if (event.seq <= (stream.last ?? 0)) return;
      stream.known = Math.max(stream.known, event.seq);
      stream.aheadMs = now() - event.createdAt;
      // What does not fit is fetched from the log instead.
      if (stream.waiting.size < MAX_WAITING) stream.waiting.set(event.seq, event);
      if (!stream.busy) drain(stream);
    },
    head(appId, head, sentAt) {
      if (!isFollowed(appId)) return;
      const stream = streamOf(appId, head.conversationId);
      const isBehind = stream.begun === 0 || head.firstSeq < stream.begun;
      if (!isBehind && head.seq <= (stream.last ?? 0)) return;
      if (isBehind) stream.rewindTo = Math.min(stream.rewindTo ?? Infinity, head.firstSeq);
      stream.aheadMs = sentAt > 0 ? now() - sentAt : undefined;
      stream.known = Math.max(stream.known, head.seq);
      if (!stream.busy) drain(stream);
    },
    forget(appId) {
      apps.delete(appId);
    },
  };
}
