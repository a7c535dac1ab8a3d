import { HEADER_LIMITS } from '@parley/domain/http/header-limits';
import {
  createListener,
  type Listener,
  type ListenerOptions,
  type Received,
} from '@parley/kit/http/listener';
import type { Fault } from '@parley/kit/http/fault';
import type { Pair } from '@parley/kit/http/raw-answer';
import { splitTarget } from '@parley/kit/http/target';
import type { GatewayContext } from '../../context.ts';
import { warnOfUntrustedProxies } from '@parley/http/limits/untrusted-proxies';
import { ROUTES } from '../index.ts';
import { createApp } from '@parley/console-server/http/app';
import { createCors, NO_CORS } from './cors.ts';
import { constantError } from '@parley/http/errors/error-form';
import { errorAnswer } from './errors.ts';
import { createOpenExchange, type OpenExchange } from '@parley/http/exchange/exchange';
import { errorOfFault, faultAnswer } from '@parley/http/errors/faults';
import { compileRoutes } from './match.ts';
import { isMounted } from './mounts.ts';
import { createPipeline } from './pipeline.ts';

const MAX_HEADER_BYTES = 32_768;
const UNKNOWN_PATH = constantError('invalid_endpoint');

/**
 * Serves the public address. Requests of the route table do not go through express, whose overhead is several times that
 * of a small request; express serves the rest.
 */
export function createHttpServer(ctx: GatewayContext): Listener {
  const cors = createCors(ctx.wire, ctx.config.allowedOrigins);
  const open = createOpenExchange(ctx, cors);
  const serve = createPipeline(ctx, compileRoutes(ROUTES));
  const app = createApp(ctx, 'public');

  function answer({ req, res, target }: Received): void {
    const exchange = open({ req, res }, target);
    exchange.run(async () => {
      if (exchange.isPreflight) return exchange.answer({ status: 204, headers: cors.preflight });
      if (await serve(exchange)) return;
      if (!isMounted(exchange.path)) return exchange.answer(await errorAnswer(ctx, UNKNOWN_PATH));
      exchange.handOver();
      app(req, res);
    });
  }
  return listenTo(ctx, { name: 'public', answer, upgrades: true, refuse: refuseFaults(ctx, open) });
}

/** Serves the console and the administration API alone, on their own port. */
export function createConsoleServer(ctx: GatewayContext): Listener {
  const open = createOpenExchange(ctx, NO_CORS);
  const app = createApp(ctx, 'console');

  function answer({ req, res, target }: Received): void {
    const exchange = open({ req, res }, target);
    exchange.run(() => {
      exchange.handOver();
      app(req, res);
      return Promise.resolve();
    });
  }
  return listenTo(ctx, { name: 'console', answer, refuse: refuseFaults(ctx, open) });
}

type Served = Pick<ListenerOptions, 'name' | 'answer' | 'refuse' | 'upgrades'>;

function listenTo(ctx: GatewayContext, served: Served): Listener {
  const listener = createListener({
    ...served,
    failed: (error) => ctx.log.error({ error }, 'failed to answer a request; closing the connection'),
    faultAnswer: (fault) => faultAnswer(ctx, fault),
    headerLimits: HEADER_LIMITS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    writesAnswerHeaders: true,
  });
  const { trustedProxies } = ctx.config.limits;
  warnOfUntrustedProxies(listener.server, { trustedProxies, log: ctx.log });
  return listener;
}

/** Answers faults as other errors, with the same headers, counts and lines of the log. */
function refuseFaults(ctx: GatewayContext, open: OpenExchange): (pair: Pair, fault: Fault) => void {
  return ({ req, res }, fault) => {
    const exchange = open({ req, res }, splitTarget(req.url ?? '/'));
    exchange.run(async () => exchange.answer(await errorAnswer(ctx, errorOfFault(fault))));
  };
}
