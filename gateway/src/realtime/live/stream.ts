import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Head } from '@parley/proto/parley/live/v1/live_pb';
import { SHORT, type LookBack } from './repair/look-back.ts';

/** The changes of one conversation that this gateway has received and delivered. Pure state: no clock, no I/O. docs/architecture/live.md#repair */
export type Stream = {
  readonly appId: string;
  readonly conversationId: string;
  /** Change number of the event delivered last; undefined before the first. */
  last: number | undefined;
  /** The first change number that is or will be delivered here; 0 while there is none. */
  begun: number;
  /** An earlier change number from which to deliver again, as soon as no delivery is under way. */
  rewindTo: number | undefined;
  /** Upper bound of how far this gateway's clock is ahead of the log's, by the last live event or head. Milliseconds. */
  aheadMs: number | undefined;
  /** The received event to be delivered next, kept apart so that events that arrive in order never enter the map. */
  next: Event | undefined;
  /** The other received events, which cannot be delivered yet, by change number. */
  readonly waiting: Map<number, Event>;
  /** The highest change number received or named by a head. */
  known: number;
  /** An event is being delivered, or a range fetched. */
  busy: boolean;
  /** Its numbers belong to an ended epoch: nothing more is delivered. */
  over: boolean;
};

/** Change numbers to fetch. Events created before `since`, by the log's clock, are not delivered. */
export type Range = { first: number; last: number; since: number };

/** Events beyond this number are fetched from the log instead of kept. */
const MAX_WAITING = 2_000;

export function createStream(appId: string, conversationId: string): Stream {
  return {
    appId,
    conversationId,
    last: undefined,
    begun: 0,
    rewindTo: undefined,
    aheadMs: undefined,
    next: undefined,
    waiting: new Map(),
    known: 0,
    busy: false,
    over: false,
  };
}

/** Adds a live event; false if it was delivered before. `now`: milliseconds since the epoch, by this gateway's clock. */
export function addEvent(stream: Stream, event: Event, now: number): boolean {
  if (event.seq <= (stream.last ?? 0)) return false;
  stream.known = Math.max(stream.known, event.seq);
  stream.aheadMs = now - event.createdAt;
  if (event.seq === (stream.last ?? 0) + 1) stream.next = event;
  else if (stream.waiting.size < MAX_WAITING) stream.waiting.set(event.seq, event);
  return true;
}

/** Records that the change was delivered. A copy may have arrived during the delivery. */
export function noteDelivered(stream: Stream, seq: number): void {
  stream.last = seq;
  dropWaiting(stream, seq);
}

/** Forgets a waiting event that is delivered in another way. */
export function dropWaiting(stream: Stream, seq: number): void {
  if (stream.next?.seq === seq) stream.next = undefined;
  if (stream.waiting.size > 0) stream.waiting.delete(seq);
}

function waitingEvent({ next, waiting }: Stream, seq: number): Event | undefined {
  return next?.seq === seq ? next : waiting.get(seq);
}

/** Records a head; false if everything up to it was already delivered. */
export function addHead(stream: Stream, head: Head, aheadMs: number | undefined): boolean {
  const isBehind = stream.begun === 0 || head.firstSeq < stream.begun;
  if (!isBehind && head.seq <= (stream.last ?? 0)) return false;
  if (isBehind) stream.rewindTo = Math.min(stream.rewindTo ?? Infinity, head.firstSeq);
  stream.aheadMs = aheadMs;
  stream.known = Math.max(stream.known, head.seq);
  return true;
}

/** Starts again from an earlier change: all events from there on are delivered again, in order. */
export function rewind(stream: Stream): void {
  if (stream.rewindTo === undefined) return;
  stream.begun = stream.rewindTo;
  stream.last = stream.rewindTo - 1;
  stream.rewindTo = undefined;
  if (stream.next) stream.waiting.set(stream.next.seq, stream.next);
  stream.next = undefined;
}

export function hasUndelivered(stream: Stream): boolean {
  return stream.known > (stream.last ?? 0);
}

/**
 * The range to fetch before anything else is delivered; undefined when the next event is here. `lookBack` says how far before its first
 * live event a conversation is read; it is called only for that event.
 */
export function missingRange(stream: Stream, lookBack: () => LookBack = () => SHORT): Range | undefined {
  if (stream.last !== undefined && waitingEvent(stream, stream.last + 1)) return undefined;
  const next = Math.min(stream.next?.seq ?? Infinity, ...stream.waiting.keys(), stream.known);
  if (stream.last !== undefined) {
    const first = stream.last + 1;
    return { first, last: Math.max(first, next - 1), since: 0 };
  }
  const { changes, ms } = lookBack();
  stream.begun = Math.max(1, next - changes);
  if (next > 1) {
    const createdAt = waitingEvent(stream, next)?.createdAt ?? 0;
    return { first: stream.begun, last: next - 1, since: createdAt - ms };
  }
  return waitingEvent(stream, 1) ? undefined : { first: 1, last: stream.known, since: 0 };
}

/** Skips a range of changes that has no deliverable events. */
export function skipTo(stream: Stream, seq: number): void {
  stream.last = seq;
  if (stream.next && stream.next.seq <= seq) stream.next = undefined;
  for (const waiting of stream.waiting.keys()) if (waiting <= seq) stream.waiting.delete(waiting);
}

/** Takes the event after the last delivered one out of the waiting ones. */
export function takeNext(stream: Stream): Event | undefined {
  const seq = (stream.last ?? 0) + 1;
  const event = waitingEvent(stream, seq);
  dropWaiting(stream, seq);
  return event;
}
