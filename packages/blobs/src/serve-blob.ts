import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import parseRange from 'range-parser';
import type { BlobStore, ByteRange } from './store.ts';
import { notFound } from './failures.ts';

/** Answers a GET or HEAD with a blob, whole or the range that is asked for, in a way that no browser runs it. */
export async function serveBlob(
  store: BlobStore,
  key: string,
  contentType: string,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): Promise<void> {
  const blob = await store.find(key);
  if (!blob) throw notFound(key);
  const etag = `"${key}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=900, immutable',
    etag,
  };
  const range = rangeOf(req, blob.size, etag);
  if (range === 'unsatisfiable') {
    return void res.writeHead(416, { ...headers, 'content-range': `bytes */${blob.size}` }).end();
  }
  const length = range ? range.end - range.start + 1 : blob.size;
  const part = range && { 'content-range': `bytes ${range.start}-${range.end}/${blob.size}` };
  // Opened before the head is written, so that a store that fails is still answered as such.
  const body = req.method === 'HEAD' || length === 0 ? undefined : await store.read(key, range);
  res.writeHead(range ? 206 : 200, { ...headers, ...part, 'content-length': length });
  if (body) await pipeline(body, res);
  else res.end();
}

// Several ranges at once, and what is no range at all, are answered with the whole, as RFC 9110 allows.
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

/** Whether a range asks for more last bytes than there are, which are all of them. RFC 9110, 14.1.2 */
function isWholeSuffix(range: string, size: number): boolean {
  const [, length] = /^bytes=-(\d+)$/i.exec(range.trim()) ?? [];
  return length !== undefined && Number(length) > size;
}
