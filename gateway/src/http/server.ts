import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import { contain } from '@parley/kit/contain';
import { boundedRequest } from '@parley/kit/http/bounded-request';
import type { GatewayContext } from '../context.ts';
import { warnOfUntrustedProxies } from '../limits/untrusted-proxies.ts';
import { ROUTES } from '../routes/index.ts';
import { createApp } from './app.ts';
import { refuseMalformed } from './client-error.ts';
import { createCors, NO_CORS } from './cors.ts';
import { constantError } from './error-form.ts';
import { errorAnswer } from './errors.ts';
import { createOpenExchange } from './exchange.ts';
import { compileRoutes } from './match.ts';
import { isMounted } from './mounts.ts';
import { createPipeline } from './pipeline.ts';

const OPTIONS = {
  IncomingMessage: boundedRequest(HEADER_LIMITS),
  maxHeaderSize: 32_768,
  /** For a whole request with its body; then 408. */
  requestTimeout: 60_000,
  /** Longer than the idle timeout of load balancers in front. */
  keepAliveTimeout: 75_000,
  /** Other protocols, such as `h2c`, are declined by answering in HTTP/1.1. RFC 9110, 7.8 */
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
};

const UNKNOWN_PATH = constantError('invalid_endpoint');

/**
 * Serves the public address. Requests of the route table do not go through express, whose overhead is several times that
 * of a small request; express serves the rest.
 */
export function createHttpServer(ctx: GatewayContext): Server {
  const cors = createCors(ctx.wire, ctx.config.allowedOrigins);
  const open = createOpenExchange(ctx, cors);
  const serve = createPipeline(ctx, compileRoutes(ROUTES));
  const app = createApp(ctx, 'public');

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const exchange = open(req, res);
    exchange.run(async () => {
      if (exchange.isPreflight) return exchange.answer({ status: 204, headers: cors.preflight });
      if (await serve(exchange)) return;
      if (!isMounted(exchange.path)) return exchange.answer(await errorAnswer(ctx, UNKNOWN_PATH));
      exchange.handOver();
      app(req, res);
    });
  }
  function take(req: IncomingMessage, res: ServerResponse): void {
    contain(
      () => answer(req, res),
      (error) => {
        ctx.log.error({ error }, 'failed to answer a request; closing the connection');
        res.destroy();
      },
    );
  }
  return listenTo(ctx, take);
}

/** Serves the console and the administration API alone, on their own port. */
export function createConsoleServer(ctx: GatewayContext): Server {
  const open = createOpenExchange(ctx, NO_CORS);
  const app = createApp(ctx, 'console');

  function take(req: IncomingMessage, res: ServerResponse): void {
    contain(
      () => {
        const exchange = open(req, res);
        exchange.run(() => {
          exchange.handOver();
          app(req, res);
          return Promise.resolve();
        });
      },
      (error) => {
        ctx.log.error({ error }, 'failed to answer a request; closing the connection');
        res.destroy();
      },
    );
  }
  return listenTo(ctx, take);
}

type Take = (req: IncomingMessage, res: ServerResponse) => void;

function listenTo(ctx: GatewayContext, take: Take): Server {
  const server = createServer(OPTIONS, take);
  // An unknown expectation is ignored, or Node would answer 417 without a body. RFC 9110, 10.1.1
  server.on('checkExpectation', take);
  warnOfUntrustedProxies(server, { trustedProxies: ctx.config.limits.trustedProxies, log: ctx.log });
  return server.on('clientError', refuseMalformed(ctx));
}
