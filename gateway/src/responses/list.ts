import type { GatewayContext } from '../context.ts';
import type { Piece } from './chunks.ts';
import type { Answer } from './response.ts';

type Requester = { appId: string; userId: string };

/** Up to this length an answer is written at once, and gives its place back. Characters. */
export const MAX_UNSTREAMED = 256 * 1024;

/**
 * Answers with a page of a list as a JSON array. A small page is written at once; of a large one this process holds one
 * piece at a time, while the client reads. Problems: service_unavailable when this process holds too much already.
 */
export async function answerList(
  ctx: GatewayContext,
  { appId, userId }: Requester,
  read: () => Promise<Piece>,
): Promise<Answer> {
  const leave = await ctx.places.first(appId, userId);
  try {
    const piece = await read();
    const headers = piece.total === undefined ? {} : { [ctx.wire.countHeader]: String(piece.total) };
    const text = JSON.stringify(piece.items);
    if (!piece.next && text.length <= MAX_UNSTREAMED) return { status: 200, headers, json: text };
    const done = await ctx.places.large(appId, userId);
    return { status: 200, headers, stream: { first: text, next: piece.next, done } };
  } finally {
    leave();
  }
}
