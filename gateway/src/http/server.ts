import { createServer, type Server } from 'node:http';
import type { GatewayContext } from '../context.ts';
import { warnOfUntrustedProxies } from '../limits/untrusted-proxies.ts';
import { routes } from '../routes/index.ts';
import { createApp } from './app.ts';
import { refuseMalformed } from './client-error.ts';
import { createCors } from './cors.ts';
import { createOpenExchange } from './exchange.ts';
import { compileRoutes } from './match.ts';
import { createPipeline } from './pipeline.ts';

const OPTIONS = {
  maxHeaderSize: 32_768,
  /** For a whole request with its body; then 408. */
  requestTimeout: 60_000,
  /** Longer than what load balancers in front keep theirs open for. */
  keepAliveTimeout: 75_000,
};

/**
 * Serves the public address. Rows of the route table are matched here, by data: express, whose own overhead is several
 * times that of a small request, has what is not in the table.
 */
export function createHttpServer(ctx: GatewayContext): Server {
  const cors = createCors(ctx.wire, ctx.config.allowedOrigins);
  const open = createOpenExchange(ctx, cors);
  const serve = createPipeline(ctx, compileRoutes(routes));
  const app = createApp(ctx);

  const server = createServer(OPTIONS, (req, res) => {
    const exchange = open(req, res);
    exchange.run(async () => {
      if (exchange.isPreflight) return exchange.answer({ status: 204, headers: cors.preflight });
      if (await serve(exchange)) return;
      exchange.handOver();
      app(req, res);
    });
  });
  warnOfUntrustedProxies(server, { trustedProxies: ctx.config.limits.trustedProxies, log: ctx.log });
  return server.on('clientError', refuseMalformed(ctx));
}
