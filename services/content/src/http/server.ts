import { serveFolder } from '@parley/blobs/folder/serve';
import { FOLDER_PATH } from '@parley/blobs/settings';
import { DOWNLOAD_PATH } from '@parley/domain/content-addresses';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { requestIdOf } from '@parley/domain/http/request-id';
import { fail } from '@parley/domain/problems';
import { createListener, type Received } from '@parley/kit/http/listener';
import { withoutSlash } from '@parley/kit/http/target';
import { runInContext } from '@parley/kit/runtime/request-context';
import type { Context } from '../context.ts';
import { handleDownload, openToPages } from './download.ts';
import type { Exchange } from './exchange.ts';
import { answerFailure, faultAnswer, problemOfFault } from './failure.ts';
import { UPLOAD_PATH } from '../upload/address.ts';
import { handleUpload } from './upload.ts';

const MAX_HEADER_BYTES = 16_384;

type Handler = (ctx: Context, exchange: Exchange) => Promise<void>;

/** Serves uploads and downloads: their addresses are the authorization. */
export async function startHttp(ctx: Context): Promise<{ port: number; stop(): Promise<void> }> {
  const listener = createListener({
    name: 'content',
    answer: (received) => answerRequest(ctx, ...route(received)),
    failed: (error) => ctx.log.error({ error }, 'failed to answer request; closing its connection'),
    faultAnswer: (fault) => faultAnswer(ctx, fault),
    refuse: (pair, fault) =>
      answerRequest(ctx, { ...pair, rest: '', expectsContinue: false }, () => problemOfFault(fault)),
    headerLimits: HEADER_LIMITS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    takesLongBodies: true,
    continues: true,
  });
  const port = await listener.listen(ctx.config.httpPort);
  return {
    port,
    /** Uploads in progress commit what arrived and ask the client to retry; downloads get some time to end. */
    stop() {
      ctx.stopping.abort();
      return listener.stop();
    },
  };
}

async function answerRequest(ctx: Context, exchange: Exchange, handle: Handler): Promise<void> {
  const { req, res } = exchange;
  const requestId = requestIdOf(req.headers['x-request-id']);
  const abandoned = new AbortController();
  res.once('close', () => abandoned.abort());
  await runInContext({ requestId, signal: abandoned.signal }, async () => {
    res.setHeader('x-request-id', requestId);
    try {
      await handle(ctx, exchange);
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

function route({ target: { path, query }, ...pair }: Received): [Exchange, Handler] {
  const [start, handler] = HANDLERS.find(([start]) => path.startsWith(`${start}/`)) ?? ['', unknownPath];
  const rest = withoutSlash(path.slice(start.length));
  return [{ ...pair, rest: query === '' ? rest : `${rest}?${query}` }, handler];
}

function unknownPath(): never {
  return fail('invalid_endpoint');
}

/** Serves blobs that other services keep in the folder, such as archives of exports. */
async function handleFolder(ctx: Context, exchange: Exchange): Promise<void> {
  const { folder, clock } = ctx;
  if (!folder) return fail('invalid_endpoint');
  const { req, res, rest } = exchange;
  if (openToPages(ctx, exchange)) await serveFolder(folder, rest, { req, res, now: clock.now() });
}
