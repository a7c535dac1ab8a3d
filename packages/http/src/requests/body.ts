import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import { parseJson } from '@parley/domain/parse/json';
import { placeIn } from '@parley/domain/parse/text-place';
import { errorOf, fail, failCodedBody, problem } from '@parley/domain/problems';
import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';
import { hasCodedBody } from '@parley/kit/http/content-coding';
import { currentContext } from '@parley/kit/runtime/request-context';
import { createTurns } from '@parley/kit/flow/turns';
import { findUtf8Fault } from './utf8-fault.ts';

const MAX_BODY_BYTES = limits.requestBodyBytes;
/** A body of at least this size takes milliseconds to parse, check and encode. */
const LARGE_BODY_BYTES = 32_768;

/** Large bodies of all callers, of an application, and of a user or an access token that wait to be parsed. */
const WAITING = [{ waiting: 500, guaranteed: 20 }, { waiting: 250, guaranteed: 5 }, { waiting: 200 }];
const MAX_WAIT_MS = 4_000;

const inTurn = createTurns({
  levels: WAITING,
  waitMs: () =>
    Math.max(0, Math.min(MAX_WAIT_MS, (currentContext()?.deadline ?? Infinity) - performance.now())),
  refusal: () => errorOf(problem('service_unavailable', { retryAfterSeconds: 1 })),
});

type Options = {
  /** Whose body it is; the large bodies of one caller do not delay those of another. */
  caller: { appId: string; userId: string; tokenId: string };
  /** The message for a body that is too large. */
  tooLarge: string | undefined;
  /** Makes the answer the last one of its connection. */
  closeAfterwards(): void;
};

/**
 * The JSON of a request's body; undefined without a body. Problems: invalid_header (a coding), invalid_request, request_entity_too_large,
 * service_unavailable (too many large bodies). After the first and the third node:http reads and drops the rest of the body, so that the
 * connection can be used again.
 */
export async function readJson(req: IncomingMessage, options: Options): Promise<unknown> {
  const { caller, tooLarge } = options;
  if (hasCodedBody(req.headers)) failCodedBody();
  const bytes = await readBody(req, options.closeAfterwards);
  if (!bytes) return fail('request_entity_too_large', tooLarge === undefined ? {} : { message: tooLarge });
  if (bytes.length === 0) return undefined;
  if (bytes.length < LARGE_BODY_BYTES) return parse(bytes);
  const { appId, userId, tokenId } = caller;
  return inTurn(['all', appId, userId || tokenId], () => parse(bytes));
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return refuseEncoding(bytes);
  return parseJson(bytes.toString());
}

function refuseEncoding(bytes: Buffer): never {
  const text = bytes.toString();
  const place = placeIn(text, findUtf8Fault(bytes));
  const message = `The body is not UTF-8 at line ${place.line}, column ${place.column}.`;
  return fail('invalid_request', { message, data: place });
}

/** Stops reading: the rest would cost as much as what was read. */
function refuseShredded(req: IncomingMessage, closeAfterwards: () => void): Error {
  req.removeAllListeners('data').pause();
  closeAfterwards();
  const message = 'The body comes in too many small pieces: send it in pieces of at least 64 bytes.';
  return errorOf(problem('invalid_request', { message }));
}

const EMPTY = Buffer.alloc(0);

/** Undefined: the body is too large. */
async function readBody(req: IncomingMessage, closeAfterwards: () => void): Promise<Buffer | undefined> {
  const length = req.headers['content-length'];
  if (length === undefined && req.headers['transfer-encoding'] === undefined) return EMPTY;
  if (Number(length ?? 0) > MAX_BODY_BYTES) return undefined;
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
    req.on('data', (chunk: Buffer) => {
      gathered.add(chunk);
      if (gathered.isShredded) return void reject(refuseShredded(req, closeAfterwards));
      if (gathered.size <= MAX_BODY_BYTES) return;
      gathered.take();
      req.removeAllListeners('data').resume();
      resolve(undefined);
    });
    req.on('end', () => resolve(gathered.takeBuffer()));
    req.on('close', () => {
      if (!req.complete) reject(new ConnectError('the client went away', Code.Canceled));
    });
  });
}
