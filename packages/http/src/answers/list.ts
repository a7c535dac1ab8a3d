import type { Wire } from '@parley/domain/wire';
import type { Chunk } from './chunks.ts';
import type { HttpResponse } from './response.ts';
import type { ResponseSlots } from './slots.ts';

type Requester = { appId: string; userId: string };
type Parts = { responseSlots: ResponseSlots; wire: Wire };

/** Up to this length a response is written at once, and gives its slot back. Characters. */
export const MAX_UNSTREAMED = 256 * 1024;

/**
 * Responds with a page of a list as a JSON array. A small page is written at once; of a large one this process holds one
 * chunk at a time, while the client reads. `furtherHeaders` is called when the first chunk is read. Problems: service_unavailable when this process holds too much already.
 */
export async function respondWithList(
  { responseSlots, wire }: Parts,
  { appId, userId }: Requester,
  read: () => Promise<Chunk>,
  furtherHeaders: () => Record<string, string> = () => ({}),
): Promise<HttpResponse> {
  const leave = await responseSlots.first(appId, userId);
  try {
    const chunk = await read();
    const count = chunk.total === undefined ? {} : { [wire.countHeader]: String(chunk.total) };
    const headers = { ...count, ...furtherHeaders() };
    const text = JSON.stringify(chunk.items);
    if (!chunk.next && text.length <= MAX_UNSTREAMED) return { status: 200, headers, json: text };
    const done = await responseSlots.large(appId, userId);
    return { status: 200, headers, stream: { first: text, next: chunk.next, done } };
  } finally {
    leave();
  }
}
