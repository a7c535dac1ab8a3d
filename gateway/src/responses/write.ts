import type { ServerResponse } from 'node:http';
import { cutSlowReader, streamArray } from './stream-array.ts';
import type { HttpResponse } from './response.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Above this size a client that reads too slowly is disconnected. Bytes. */
const LARGE_BYTES = 256 * 1024;

/**
 * Sends a response with the common headers; does nothing when the client has disconnected. A client that does not read a
 * large response is disconnected.
 */
export function writeResponse(
  res: ServerResponse,
  answer: HttpResponse,
  common: Record<string, string>,
): void {
  if (res.destroyed || res.writableEnded) return answer.stream?.done();
  const headers: Record<string, string | number> = { ...common };
  if (answer.stream) {
    res.writeHead(answer.status, { ...headers, 'content-type': JSON_TYPE, ...answer.headers });
    return streamArray(res, answer.stream);
  }
  let text = answer.text;
  if (text === undefined && (answer.json ?? answer.body) !== undefined) {
    text = answer.json ?? JSON.stringify(answer.body);
    headers['content-type'] = JSON_TYPE;
  }
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (bytes > LARGE_BYTES) cutSlowReader(res, bytes);
  if (text !== undefined) headers['content-length'] = bytes;
  else if (answer.status !== 204 && answer.status !== 304) headers['content-length'] = 0;
  res.writeHead(answer.status, Object.assign(headers, answer.headers));
  res.end(text);
}
