import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import parseRange from 'range-parser';
import { conditionOf } from '@parley/kit/http/conditions';
import type { BlobDescription, BlobStore, ByteRange } from './store.ts';
import { contentDisposition } from './content-disposition.ts';
import { notFound } from './failures.ts';

type ServedBlob = BlobDescription & {
  key: string;
  /** Name under which it is saved. */
  filename?: string | undefined;
};

/**
 * Answers a GET or HEAD with a blob or the requested range of it, with headers that keep browsers from running it; 304 to a client that
 * has it already.
 */
export async function serveBlob(
  store: BlobStore,
  { key, contentType, filename }: ServedBlob,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): Promise<void> {
  const blob = await store.find(key);
  if (!blob) throw notFound(key);
  const etag = `"${key}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-disposition': contentDisposition(filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=900, immutable',
    etag,
  };
  const condition = conditionOf(req.headers, etag);
  if (condition === 'unchanged')
    return void res.writeHead(304, { etag, 'cache-control': headers['cache-control'] }).end();
  if (condition === 'failed') return refuse(res, 412, { etag });
  const range = rangeOf(req, blob.size, etag);
  if (range === 'unsatisfiable')
    return refuse(res, 416, { ...headers, 'content-range': `bytes */${blob.size}` });
  const length = range ? range.end - range.start + 1 : blob.size;
  const part = range && { 'content-range': `bytes ${range.start}-${range.end}/${blob.size}` };
  const body = req.method === 'HEAD' || length === 0 ? undefined : await openBlob(store, key, range);
  res.writeHead(range ? 206 : 200, { ...headers, ...part, 'content-length': length });
  if (body) await pipeline(body, res);
  else res.end();
}

/** No cache keeps a refusal. */
function refuse(res: ServerResponse, status: number, headers: Record<string, string>): void {
  res.writeHead(status, { ...headers, 'cache-control': 'no-store', 'content-length': 0 }).end();
}

/** Opens the blob and reads its first bytes, so that a failure is noticed before the response begins. */
async function openBlob(store: BlobStore, key: string, range: ByteRange | undefined): Promise<Readable> {
  const body = await store.read(key, range);
  try {
    await once(body, 'readable');
    return body;
  } catch (error) {
    // It may have been removed since it was found.
    if (!(await store.find(key))) throw notFound(key);
    throw error;
  }
}

/** Undefined, for the whole blob, when several ranges are requested or the header is malformed, as RFC 9110 allows. */
function rangeOf(
  { headers }: IncomingMessage,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const isForThis = headers['if-range'] === undefined || headers['if-range'] === etag;
  if (headers.range === undefined || !isForThis) return undefined;
  if (size > 0 && isWholeSuffix(headers.range, size)) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) return 'unsatisfiable';
  const [first, second] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  return second ? undefined : first;
}

/** Whether a range asks for more last bytes than the blob has, and so for the whole of it. RFC 9110, 14.1.2 */
function isWholeSuffix(range: string, size: number): boolean {
  const [, length] = /^bytes=-(\d+)$/i.exec(range.trim()) ?? [];
  return length !== undefined && Number(length) > size;
}
