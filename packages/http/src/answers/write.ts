import type { ServerResponse } from 'node:http';
import {
  compress,
  encodingFor,
  isWorthCompressing,
  MAX_AT_ONCE,
  openSink,
  type Encoding,
} from './compression.ts';
import { cutSlowReader, streamArray } from './stream-array.ts';
import type { HttpResponse } from './response.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Above this size a client that reads too slowly is disconnected. Bytes. */
const LARGE_BYTES = 256 * 1024;

type Options = {
  /** Headers of every response; names in lower case. */
  common: Readonly<Record<string, string>>;
  /** Whether larger responses are compressed for clients that ask for it. */
  compresses: boolean;
};

type Headers = Record<string, string | number>;

/**
 * Sends a response with the common headers; does nothing when the client has disconnected. A client that does not read a
 * large response is disconnected.
 */
export function writeResponse(
  res: ServerResponse,
  answer: HttpResponse,
  { common, compresses }: Options,
): void {
  if (res.destroyed || res.writableEnded) return answer.stream?.done();
  const headers: Headers = { ...common };
  if (answer.stream) {
    headers['content-type'] = JSON_TYPE;
    const encoding = compresses ? negotiate(res, headers) : undefined;
    res.writeHead(answer.status, Object.assign(headers, answer.headers));
    return streamArray(res, answer.stream, { sink: openSink(res, encoding) });
  }
  if (answer.bytes) {
    if (answer.bytes.length > LARGE_BYTES) cutSlowReader(res, answer.bytes.length);
    Object.assign(headers, answer.headers, { 'content-length': answer.bytes.length });
    return void res.writeHead(answer.status, headers).end(answer.bytes);
  }
  const text = textOf(answer, headers);
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (bytes > LARGE_BYTES) cutSlowReader(res, bytes);
  const encoding = compresses && isWorthCompressing(bytes) ? negotiate(res, headers) : undefined;
  Object.assign(headers, answer.headers);
  if (text !== undefined && encoding)
    return writeCompressed(res, answer.status, { text, bytes, encoding, headers });
  if (text !== undefined) headers['content-length'] = bytes;
  else if (answer.status !== 204 && answer.status !== 304) headers['content-length'] = 0;
  res.writeHead(answer.status, headers);
  res.end(text);
}

function textOf({ text, json, body }: HttpResponse, headers: Headers): string | undefined {
  if (text !== undefined || (json ?? body) === undefined) return text;
  headers['content-type'] = JSON_TYPE;
  return json ?? JSON.stringify(body);
}

/** The encoding of a response that may be compressed, and the headers that say so. */
function negotiate(res: ServerResponse, headers: Headers): Encoding | undefined {
  const { vary } = headers;
  headers['vary'] = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
  const encoding = encodingFor(res);
  if (encoding) headers['content-encoding'] = encoding;
  return encoding;
}

type Compressed = { text: string; bytes: number; encoding: Encoding; headers: Headers };

function writeCompressed(
  res: ServerResponse,
  status: number,
  { text, bytes, encoding, headers }: Compressed,
): void {
  if (bytes > MAX_AT_ONCE) {
    res.writeHead(status, headers);
    return void openSink(res, encoding).end(text);
  }
  const compressed = compress(text, encoding);
  headers['content-length'] = compressed.length;
  res.writeHead(status, headers);
  res.end(compressed);
}
