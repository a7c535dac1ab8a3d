import { toBinary } from '@parley/codec';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { limits } from '@parley/contract/limits';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { fail } from '../problems.ts';

/** Size limit of a message with several events. Bytes. */
const MAX_BATCH_BYTES = 512 * 1024;
/** More bytes than the tag and the length of an event in a batch take. */
const FRAME_BYTES = 12;

const EVENTS = EventBatchSchema.field.events.number;
const EPOCH = EventBatchSchema.field.epoch.number;

/**
 * Encodes events of one subject into messages, each an `EventBatch`, in order. A message stays below `maxBytes` unless it holds a single
 * larger event.
 */
export function encodeBatches(
  events: readonly Event[],
  maxBytes = MAX_BATCH_BYTES,
  epoch = '',
): Uint8Array[] {
  const batches: Uint8Array[][] = [];
  let batch: Uint8Array[] = [];
  let bytes = epoch.length + FRAME_BYTES;
  for (const event of events) {
    const encoded = toBinary(EventSchema, event);
    const size = encoded.length + FRAME_BYTES;
    if (batch.length === 0 || bytes + size > maxBytes) {
      batches.push((batch = []));
      bytes = epoch.length + FRAME_BYTES;
    }
    batch.push(encoded);
    bytes += size;
  }
  return batches.map((encoded) => joinEvents(encoded, epoch));
}

/** The encoding of an `EventBatch`. Each event is encoded once, since its size determines its batch. */
function joinEvents(encoded: readonly Uint8Array[], epoch: string): Uint8Array {
  const writer = new BinaryWriter();
  let bytes = FRAME_BYTES + epoch.length;
  for (const event of encoded) {
    writer.tag(EVENTS, WireType.LengthDelimited).bytes(event);
    bytes += event.length + FRAME_BYTES;
  }
  // An event of the largest allowed size is sent without the epoch.
  if (epoch !== '' && bytes <= limits.eventBytes) writer.tag(EPOCH, WireType.LengthDelimited).string(epoch);
  return writer.finish();
}

/**
 * Encodes events; fails with request_entity_too_large for an event that exceeds a message of the broker, so that events checked here,
 * before the commit, can be published afterwards. `epoch`: that of the database to which they are committed, for gateways.
 */
export function encodeEvents(events: readonly Event[], epoch?: string): Uint8Array[] {
  const payloads = encodeBatches(events, MAX_BATCH_BYTES, epoch);
  if (payloads.some(({ length }) => length > limits.eventBytes)) {
    fail('request_entity_too_large', { message: 'The change is too large to be told to others at once.' });
  }
  return payloads;
}
