import { setTimeout as delay } from 'node:timers/promises';
import { isTooLarge } from '@parley/kit/rpc/byte-budget';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Head } from '@parley/proto/parley/live/v1/live_pb';
import type { Arrival } from './render/recipients.ts';
import type { LookBack } from './repair/look-back.ts';
import {
  addEvent,
  addHead,
  createStream,
  dropWaiting,
  hasUndelivered,
  missingRange,
  noteDelivered,
  rewind,
  skipTo,
  takeNext,
  type Range,
  type Stream,
} from './stream.ts';

/** Delivers the events of each conversation in order, fetching missing ones first. */
export type ConversationStreams = {
  event(event: Event): void;
  /** Whether `event` would be delivered at once, since everything before it was delivered. */
  isNext(event: Event): boolean;
  /** `sentAt`: when the head was sent, by the log's clock; 0 if unknown. */
  head(appId: string, head: Head, sentAt: number): void;
  /** Stops following the app's conversations, since it has no socket here any more. */
  forget(appId: string): void;
  /** Discards everything received, since change numbers are assigned again. */
  forgetAll(): void;
};

type Options = {
  deliver(event: Event, arrival: Arrival): void | Promise<void>;
  /** Events `first`..`last` of a conversation, in order; deleted ones come without a body. */
  fetch(appId: string, conversationId: string, first: number, last: number): Promise<Event[]>;
  isFollowed(appId: string): boolean;
  /** Default: a short, constant look-back. */
  lookBack?(): LookBack;
  now(): number;
  failed(error: unknown): void;
};

const PAGE_SIZE = 500;
const RETRY_MS = 250;
const MAX_STREAMS_PER_APP = 200_000;

export function createConversationStreams(options: Options): ConversationStreams {
  const { isFollowed, now } = options;
  const apps = new Map<string, Map<string, Stream>>();

  function streamOf(appId: string, conversationId: string): Stream {
    let streams = apps.get(appId);
    if (!streams) apps.set(appId, (streams = new Map()));
    let stream = streams.get(conversationId);
    if (stream) return stream;
    stream = createStream(appId, conversationId);
    if (streams.size >= MAX_STREAMS_PER_APP) streams.delete(streams.keys().next().value ?? '');
    streams.set(conversationId, stream);
    return stream;
  }

  return {
    event(event) {
      if (!isFollowed(event.appId)) return;
      const stream = streamOf(event.appId, event.conversationId);
      if (addEvent(stream, event, now()) && !stream.busy) drain(options, stream);
    },
    isNext({ appId, conversationId, seq }) {
      const stream = apps.get(appId)?.get(conversationId);
      return stream?.last === seq - 1 && !stream.busy && stream.rewindTo === undefined;
    },
    head(appId, head, sentAt) {
      if (!isFollowed(appId)) return;
      const stream = streamOf(appId, head.conversationId);
      const aheadMs = sentAt > 0 ? now() - sentAt : undefined;
      if (addHead(stream, head, aheadMs) && !stream.busy) drain(options, stream);
    },
    forget(appId) {
      apps.delete(appId);
    },
    forgetAll() {
      for (const streams of apps.values()) for (const stream of streams.values()) stream.over = true;
      apps.clear();
    },
  };
}

/** Delivers all deliverable events, after repairing a range of missed ones. Asynchronous work continues in `settle`. */
function drain(options: Options, stream: Stream): void {
  rewind(stream);
  while (!stream.over && !stream.busy && hasUndelivered(stream)) {
    const range = missingRange(stream, options.lookBack);
    const work = range ? repair(options, stream, range) : deliverNext(options, stream);
    if (work) return void settle(options, stream, work);
  }
}

/** Waits for a delivery or a fetch, then drains the stream again, which retries after a failure. */
async function settle(options: Options, stream: Stream, work: Promise<void>): Promise<void> {
  const { isFollowed, failed } = options;
  stream.busy = true;
  try {
    await work;
  } catch (error) {
    failed(error);
    await delay(RETRY_MS);
  }
  stream.busy = false;
  if (!stream.over && isFollowed(stream.appId)) guardListener(() => drain(options, stream), failed);
}

function deliverNext(options: Options, stream: Stream): void | Promise<void> {
  const event = takeNext(stream);
  if (event) return deliver(options, stream, event, false);
}

function deliver(options: Options, stream: Stream, event: Event, repaired: boolean): void | Promise<void> {
  const done = options.deliver(event, { repaired, aheadMs: stream.aheadMs });
  if (!done) return noteDelivered(stream, event.seq);
  return done.then(() => noteDelivered(stream, event.seq));
}

/** Fetches a range, or its first page, and delivers it. */
async function repair(options: Options, stream: Stream, { first, last, since }: Range): Promise<void> {
  const end = Math.min(last, first + PAGE_SIZE - 1);
  const { events, fetchedTo } = await fetchInHalves(options, stream, first, end);
  for (const event of events) {
    if (stream.over) return;
    dropWaiting(stream, event.seq);
    if (event.createdAt < since) stream.begun = event.seq + 1;
    if (event.body.case && event.createdAt >= since) await deliver(options, stream, event, true);
    else stream.last = event.seq;
  }
  // The log answers completely for a committed range: an empty answer means that there is nothing to fetch again.
  if (events.length === 0) skipTo(stream, fetchedTo);
}

type Fetched = { events: Event[]; fetchedTo: number };

/** Halves a range whose answer is too large. A single change that is too large is reported and skipped. */
async function fetchInHalves(
  options: Options,
  stream: Stream,
  first: number,
  last: number,
): Promise<Fetched> {
  try {
    return { events: await options.fetch(stream.appId, stream.conversationId, first, last), fetchedTo: last };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    if (first < last) return fetchInHalves(options, stream, first, Math.floor((first + last) / 2));
    options.failed(error);
    return { events: [], fetchedTo: last };
  }
}
