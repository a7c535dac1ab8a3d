import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { startTimeout } from '@parley/kit/runtime/clock';
import { currentContext, runInContext } from '@parley/kit/runtime/request-context';
import type { Chunk } from './chunks.ts';
import type { StreamedArray } from './response.ts';

/** How long a client may take to read, plus a second for so many bytes. Milliseconds, bytes. */
const READ_MS = 30_000;
const READ_BYTES_PER_SECOND = 64 * 1024;
/** How long a service may take to give the next chunk. Milliseconds. */
const ASK_MS = 5_000;
/** How long an array may take in all, so that it does not hold its slot forever; clients may ask for fewer items. Milliseconds. */
const MAX_DURATION_MS = 120_000;

type StreamOptions = {
  /** The stream that passes the array on to the response; default: the response itself. */
  sink?: Writable;
  maxDurationMs?: number;
};

/** A response, and what its body is written to. */
type Body = { res: ServerResponse; sink: Writable };

/**
 * Writes an array chunk by chunk, reading the next chunk when the client has read the last. When the client reads too slowly,
 * is not done after `maxDurationMs`, or a chunk cannot be read, the connection is destroyed: an incomplete body never looks
 * complete.
 */
export function streamArray(
  res: ServerResponse,
  array: StreamedArray,
  { sink = res, maxDurationMs = MAX_DURATION_MS }: StreamOptions = {},
): void {
  const cancelTimer = startTimeout(maxDurationMs, () => void res.destroy());
  writeChunks({ res, sink }, array)
    .catch(() => res.destroy())
    .finally(() => {
      cancelTimer();
      array.done();
    });
}

/** Destroys the connection unless the client reads so many bytes in time. */
export function cutSlowReader(res: ServerResponse, bytes: number): void {
  const cancelTimer = startTimeout(timeToRead(bytes), () => void res.destroy());
  res.once('close', cancelTimer);
}

function timeToRead(bytes: number): number {
  return READ_MS + (bytes / READ_BYTES_PER_SECOND) * 1000;
}

async function writeChunks(body: Body, { first, next }: StreamedArray): Promise<void> {
  let isEmpty = first === '[]';
  await write(body, first.slice(0, -1));
  for (let ask = next; ask;) {
    const chunk = await inTime(ask);
    const items = JSON.stringify(chunk.items).slice(1, -1);
    if (items !== '') await write(body, isEmpty ? items : `,${items}`);
    isEmpty &&= items === '';
    ask = chunk.next;
  }
  body.sink.end(']');
  await settled(body.res, { of: body.res, event: 'finish' }, 1);
}

/** Reads a later chunk with a deadline of its own: the request's was for its first chunk. */
function inTime(ask: () => Promise<Chunk>): Promise<Chunk> {
  const { requestId, signal } = currentContext() ?? {};
  const deadline = performance.now() + ASK_MS;
  return runInContext({ requestId: requestId ?? '', deadline, ...(signal && { signal }) }, ask);
}

async function write({ res, sink }: Body, text: string): Promise<void> {
  if (!sink.write(text)) await settled(res, { of: sink, event: 'drain' }, text.length);
}

type Milestone = { of: Writable; event: 'drain' | 'finish' };

/** Resolves when the client has read the written bytes; rejects when it has disconnected or is too slow. */
function settled(res: ServerResponse, { of, event }: Milestone, bytes: number): Promise<void> {
  if (res.destroyed) return Promise.reject(new Error('the client is gone'));
  return new Promise((resolve, reject) => {
    function end(settle: () => void): void {
      cancelTimer();
      of.off(event, done);
      res.off('close', gone);
      settle();
    }
    function done(): void {
      end(resolve);
    }
    function gone(): void {
      end(() => (res.writableFinished ? resolve() : reject(new Error('the client is gone'))));
    }
    const cancelTimer = startTimeout(timeToRead(bytes), () => {
      end(() => reject(new Error('the client reads too slowly')));
    });
    of.once(event, done);
    res.once('close', gone);
  });
}
