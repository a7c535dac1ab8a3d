import { create, toBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { splitBatches } from './batches.ts';
import { durableSubject } from '../events.ts';

/** Packs events into durable messages: events of one subject share a message, in their order, as far as they fit. */
export function durableMessages(events: readonly Event[]): { subject: string; payload: Uint8Array }[] {
  return [...Map.groupBy(events, durableSubject)].flatMap(([subject, ofSubject]) =>
    splitBatches(ofSubject).map((batch) => ({
      subject,
      payload: toBinary(EventBatchSchema, create(EventBatchSchema, { events: batch })),
    })),
  );
}
