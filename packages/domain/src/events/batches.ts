import type { Event } from '@parley/proto/parley/event/v1/event_pb';

const MAX_BATCH_BYTES = 512 * 1024;
/** More than a tag, a length and any number take. */
const FIELD_BYTES = 12;

/** In order; each batch stays below the size unless one event alone is above it. */
export function splitBatches(events: readonly Event[], maxBytes = MAX_BATCH_BYTES): Event[][] {
  const [first, ...others] = events;
  if (!first) return [];
  let batch = [first];
  const batches = [batch];
  if (others.length === 0) return batches;
  let bytes = sizeBound(first);
  for (const event of others) {
    const size = sizeBound(event);
    if (bytes + size > maxBytes) {
      batches.push((batch = []));
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  return batches;
}

// An upper bound, since serialising only to measure would double the cost of an event; counting the names of fields covers
// the lengths of nested messages.
function sizeBound(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + FIELD_BYTES;
  if (value instanceof Uint8Array) return value.length + FIELD_BYTES;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = FIELD_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += sizeBound(item);
  else for (const [key, item] of Object.entries(value)) bytes += key.length * 3 + sizeBound(item);
  return bytes;
}
