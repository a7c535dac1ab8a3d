import type { IncomingMessage, ServerResponse } from 'node:http';
import { fromBinary, type DescMessage } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextValues,
  type ConnectRouter,
  type ContextValues,
  type Interceptor,
} from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import { errorToJson } from '@connectrpc/connect/protocol-connect';
import type { Request, RequestHandler, Response } from 'express';
import { requireJsonDepth } from '@parley/domain/parse/json';
import { fail } from '@parley/domain/problems';
import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';
import { withoutSlash } from '@parley/kit/http/target';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { explainFailures } from './explain-failures.ts';
import { PRINCIPAL, principalOf } from '../access/principal.ts';

/** An import may hold a message of a thousand parts. */
const MAX_MESSAGE_BYTES = 4 * 1_048_576;
const BAD_REQUEST = 400;
const COMPRESSIONS = [compressionGzip, compressionBrotli];
const ENCODINGS = ['identity', ...COMPRESSIONS.map(({ name }) => name)];

type ServeOptions = {
  log: Logger;
  /** Refuses calls that the principal of a request may not make. */
  authorize: Interceptor;
};

/**
 * Serves implementations in the Connect protocol alone. Messages are checked before the protocol's own parser reads them,
 * since that recurses into JSON of any depth, and reports malformed binary messages as internal errors.
 */
export function serveConnect(
  { log, authorize }: ServeOptions,
  ...implement: ((router: ConnectRouter) => void)[]
): RequestHandler {
  const router = createConnectRouter({
    grpc: false,
    grpcWeb: false,
    acceptCompression: COMPRESSIONS,
    jsonOptions: { useProtoFieldName: true, alwaysEmitImplicit: true, ignoreUnknownFields: true },
    readMaxBytes: MAX_MESSAGE_BYTES,
    interceptors: [explainFailures(log), authorize],
  });
  for (const add of implement) add(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return async (req, res, next) => {
    const handler = handlers.get(withoutSlash(req.url.split('?', 1)[0] ?? ''));
    if (!handler) return next();
    let body: Buffer;
    try {
      body = await readBody(req, res);
      requireKnownEncoding(req);
      await checkMessage(handler, req, body);
    } catch (error) {
      return refuse(res, error);
    }
    const answer = await handler({ ...universalRequest(req, res), body: stream(body) });
    universalResponseToNodeResponse(answer, res).catch((error: unknown) => {
      log.warn({ error }, 'failed to send an answer of the administration API; closing the connection');
      res.destroy();
    });
  };
}

/**
 * Reads a body up to the first byte that is too many, which Connect refuses; the rest is dropped. Throws a ConnectError with InvalidArgument
 * for one in too many pieces, whose connection ends with the answer.
 */
async function readBody(req: IncomingMessage, res: ServerResponse): Promise<Buffer> {
  const gathered = new GatheredBytes();
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      gathered.add(chunk);
      if (gathered.size > MAX_MESSAGE_BYTES || gathered.isShredded) break;
    }
  } catch {
    throw new ConnectError('the client went away', Code.Canceled);
  }
  if (gathered.isShredded) {
    res.shouldKeepAlive = false;
    throw new ConnectError('The body comes in too many small pieces.', Code.InvalidArgument);
  }
  req.resume();
  return gathered.takeBuffer();
}

async function* stream(body: Buffer): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(body);
}

/** Throws a ConnectError with InvalidArgument. Connect would call the method unimplemented, a fault of the platform. */
function requireKnownEncoding({ headers, query }: Request): void {
  const named = [headers['content-encoding'], query['compression']];
  const unknown = named.find((name) => name !== undefined && !ENCODINGS.includes(String(name)));
  if (unknown === undefined) return;
  throw new ConnectError(`The encoding is none of ${ENCODINGS.join(', ')}.`, Code.InvalidArgument);
}

/** Throws a ConnectError with InvalidArgument. */
async function checkMessage({ method }: UniversalHandler, req: Request, body: Buffer): Promise<void> {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json' && type !== 'application/proto') return;
  const message = await decompress(req.headers['content-encoding'], body);
  if (type === 'application/json') requireJsonDepth(Buffer.from(message).toString());
  else requireMessage(method.input, message);
}

async function decompress(encoding: string | undefined, body: Buffer): Promise<Uint8Array> {
  const compression = COMPRESSIONS.find(({ name }) => name === encoding);
  if (!compression || body.length === 0 || body.length > MAX_MESSAGE_BYTES) return body;
  return compression.decompress(body, MAX_MESSAGE_BYTES);
}

function requireMessage(schema: DescMessage, bytes: Uint8Array): void {
  try {
    fromBinary(schema, bytes);
  } catch {
    fail('invalid_request', { message: `The body is not a ${schema.typeName}.` });
  }
}

function refuse(res: Response, error: unknown): void {
  res.status(BAD_REQUEST).json(errorToJson(ConnectError.from(error, Code.InvalidArgument), undefined));
}

/** A request whose Host cannot be part of an address is malformed. */
function universalRequest(req: Request, res: Response) {
  try {
    return universalRequestFromNodeRequest(req, res, undefined, principalValues(res));
  } catch {
    return fail('invalid_request', { message: 'The Host header is not valid.' });
  }
}

/** Hands the principal on to the interceptor. */
function principalValues(res: Response): ContextValues {
  return createContextValues().set(PRINCIPAL, principalOf(res));
}
