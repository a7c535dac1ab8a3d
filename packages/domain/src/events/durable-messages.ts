import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { durableSubject } from '../events.ts';
import { encodeBatches } from './encode.ts';

/** Packs events into durable messages: events of one subject share a message, in their order, as far as they fit. */
export function durableMessages(events: readonly Event[]): { subject: string; payload: Uint8Array }[] {
  return [...Map.groupBy(events, durableSubject)].flatMap(([subject, ofSubject]) =>
    encodeBatches(ofSubject).map((payload) => ({ subject, payload })),
  );
}
