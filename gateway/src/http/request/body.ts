import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import { parseJson } from '@parley/domain/parse/json';
import { placeIn } from '@parley/domain/parse/text-place';
import { fail } from '@parley/domain/problems';
import { createTurns } from '@parley/kit/turns';
import { findUtf8Fault } from './utf8-fault.ts';

const MAX_BODY_BYTES = limits.requestBodyBytes;
/** A body of at least this size takes milliseconds to parse, check and encode. */
const LARGE_BODY_BYTES = 32_768;

const nextTurn = createTurns();

/**
 * The JSON of a request's body; undefined without a body. Problems: invalid_request, request_entity_too_large. After that
 * answer node:http reads and drops the rest of the body, so that the connection can be used again.
 */
export async function readJson(req: IncomingMessage, tooLarge?: string): Promise<unknown> {
  const bytes = await readBody(req);
  if (!bytes) return fail('request_entity_too_large', tooLarge === undefined ? {} : { message: tooLarge });
  if (bytes.length === 0) return undefined;
  if (bytes.length >= LARGE_BODY_BYTES) await nextTurn();
  if (!isUtf8(bytes)) return refuseEncoding(bytes);
  return parseJson(bytes.toString());
}

function refuseEncoding(bytes: Buffer): never {
  const text = bytes.toString();
  const place = placeIn(text, findUtf8Fault(bytes));
  const message = `The body is not UTF-8 at line ${place.line}, column ${place.column}.`;
  return fail('invalid_request', { message, data: place });
}

const EMPTY = Buffer.alloc(0);

/** Undefined: the body is too large. */
async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const length = req.headers['content-length'];
  if (length === undefined && req.headers['transfer-encoding'] === undefined) return EMPTY;
  if (Number(length ?? 0) > MAX_BODY_BYTES) return undefined;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(undefined);
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks)));
    req.on('close', () => {
      if (!req.complete) reject(new ConnectError('the client went away', Code.Canceled));
    });
  });
}
