import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveFolder } from '@parley/blobs/folder/serve';
import { FOLDER_PATH } from '@parley/blobs/settings';
import { DOWNLOAD_PATH } from '@parley/domain/content-addresses';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { newId } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import { startTimeout } from '@parley/kit/clock';
import { contain } from '@parley/kit/contain';
import { boundedRequest } from '@parley/kit/http/bounded-request';
import { runInContext } from '@parley/kit/request-context';
import type { Context } from '../context.ts';
import { handleDownload } from './download.ts';
import type { Exchange } from './exchange.ts';
import { answerFailure } from './failure.ts';
import { UPLOAD_PATH } from '../upload/address.ts';
import { handleUpload } from './upload.ts';

/** A connection without traffic for this long is closed. */
const IDLE_MS = 90_000;
const DRAIN_MS = 10_000;
const OPTIONS = {
  IncomingMessage: boundedRequest(HEADER_LIMITS),
  maxHeaderSize: 16_384,
  // A large upload may take any time; a client without progress is ended by the socket's own timeout.
  requestTimeout: 0,
  headersTimeout: 30_000,
  highWaterMark: 256 * 1024,
};

type Handler = (ctx: Context, exchange: Exchange) => Promise<void>;

/** Serves uploads and downloads: their addresses are the authorization. */
export async function startHttp(ctx: Context): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer(OPTIONS);
  server.timeout = IDLE_MS;
  const answer = (expectsContinue: boolean) => (req: IncomingMessage, res: ServerResponse) => {
    contain(
      () => answerRequest(ctx, { req, res, expectsContinue }),
      (error) => {
        ctx.log.error({ error }, 'failed to answer request; closing its connection');
        res.destroy();
      },
    );
  };
  server.on('request', answer(false)).on('checkContinue', answer(true));
  // An unknown expectation is ignored, or Node would answer 417 without a body. RFC 9110, 10.1.1
  server.on('checkExpectation', answer(false));
  server.listen(ctx.config.httpPort);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => drain(ctx, server) };
}

async function answerRequest(ctx: Context, connection: Omit<Exchange, 'rest'>): Promise<void> {
  const requestId = newId();
  const exchange: Exchange = { ...connection, rest: '' };
  const abandoned = new AbortController();
  connection.res.once('close', () => abandoned.abort());
  await runInContext({ requestId, signal: abandoned.signal }, async () => {
    exchange.res.setHeader('x-request-id', requestId);
    try {
      await handlerOf(exchange)(ctx, exchange);
    } catch (error) {
      answerFailure(ctx, exchange, error);
    }
  });
}

const HANDLERS: [string, Handler][] = [
  [UPLOAD_PATH, handleUpload],
  [DOWNLOAD_PATH, handleDownload],
  [FOLDER_PATH, handleFolder],
];

function handlerOf(exchange: Exchange): Handler {
  const url = exchange.req.url ?? '/';
  for (const [path, handler] of HANDLERS) {
    if (!url.startsWith(`${path}/`)) continue;
    exchange.rest = url.slice(path.length);
    return handler;
  }
  return () => fail('invalid_endpoint');
}

/** Serves blobs that other services keep in the folder, such as archives of exports. */
async function handleFolder({ folder, clock }: Context, { req, res, rest }: Exchange): Promise<void> {
  if (!folder) return fail('invalid_endpoint');
  await serveFolder(folder, rest, { req, res, now: clock.now() });
}

/** Uploads in progress commit what arrived and ask the client to retry; downloads get some time to end. */
async function drain(ctx: Context, server: Server): Promise<void> {
  ctx.stopping.abort();
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cancelForce = startTimeout(DRAIN_MS, () => server.closeAllConnections());
  await closed;
  cancelForce();
}
