import type { Express } from 'express';
import { NO_CORS } from '@parley/http/exchange/cors';
import { createOpenExchange } from '@parley/http/exchange/exchange';
import { listenTo } from '@parley/http/listen';
import type { HttpParts } from '@parley/http/parts';
import type { Listener, Received } from '@parley/kit/http/listener';

/** A listener all of whose requests an application of express answers. */
export function listenAlone(parts: HttpParts, app: Express): Listener {
  const open = createOpenExchange(parts, { cors: NO_CORS });

  function answer({ req, res, target }: Received): void {
    const exchange = open({ req, res }, target);
    exchange.run(() => {
      exchange.handOver();
      app(req, res);
      return Promise.resolve();
    });
  }
  return listenTo(parts, { name: 'console', answer, open });
}
