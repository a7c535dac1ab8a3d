import type { IncomingMessage, ServerResponse } from 'node:http';
import { UNKNOWN_PATH } from '@parley/http/errors/error-answer';
import { createOpenExchange } from '@parley/http/exchange/exchange';
import { listenTo } from '@parley/http/listen';
import type { HttpParts } from '@parley/http/parts';
import type { Listener, Received } from '@parley/kit/http/listener';
import { countRequest } from '../../admission/count-request.ts';
import { createCors } from '../../admission/cors.ts';
import type { ApiContext } from '../context.ts';
import { createLibrary } from '../library/index.ts';
import { ROUTES } from '../routes.ts';
import { errorAnswer } from './errors.ts';
import { compileRoutes } from './match.ts';
import { isMounted } from './mounts.ts';
import { createPipeline } from './pipeline.ts';

/** `trustedProxies`: number of proxies in front of this process. */
type Context = ApiContext & { config: { limits: { trustedProxies: number } } };
/** Answers requests below the paths of the mounts. */
export type Mounted = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Serves the public address. Requests of the route table bypass express, whose overhead is several times the cost of a small request;
 * `mounted` serves the rest.
 */
export function createHttpServer(ctx: Context, mounted: Mounted | undefined): Listener {
  const cors = createCors(ctx.wire, ctx.config.allowedOrigins);
  const parts = partsOf(ctx);
  const answered = (request: Parameters<typeof countRequest>[1]) => countRequest(ctx.figures, request);
  const open = createOpenExchange(parts, { cors, answered });
  const serve = createPipeline(ctx, compileRoutes(ROUTES));
  const library = createLibrary(ctx);

  function answer({ req, res, target }: Received): void {
    const exchange = open({ req, res }, target);
    exchange.run(async () => {
      if (exchange.isPreflight) return exchange.answer({ status: 204, headers: cors.preflight });
      if ((await serve(exchange)) || (await library(exchange))) return;
      if (!mounted || !isMounted(exchange.path)) return exchange.answer(await errorAnswer(ctx, UNKNOWN_PATH));
      exchange.handOver();
      mounted(req, res);
    });
  }
  return listenTo(parts, { name: 'public', answer, upgrades: true, open });
}

function partsOf({ log, metrics, errorDocs, requestLog, limits, config }: Context): HttpParts {
  const { trustedProxies } = config.limits;
  return { log, metrics, errorDocs, requestLog, limits, compresses: config.compression, trustedProxies };
}
