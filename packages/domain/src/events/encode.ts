import { create, toBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { splitBatches } from './batches.ts';
import { limits } from '@parley/contract/limits';
import { fail } from '../problems.ts';

/**
 * Encodes events of one subject into messages, in their order. Fails with request_entity_too_large for an event that exceeds
 * a message of the broker: events checked here, before the commit, can be published afterwards.
 */
export function encodeEvents(events: readonly Event[]): Uint8Array[] {
  return splitBatches(events).map((batch) => {
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: batch }));
    if (payload.length > limits.eventBytes) {
      fail('request_entity_too_large', { message: 'The change is too large to be told to others at once.' });
    }
    return payload;
  });
}
