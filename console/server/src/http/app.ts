import express, { type Express, type Request, type Response, type NextFunction } from 'express';
import { fail } from '@parley/domain/problems';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import { ADMIN_PATH } from '@parley/administration/describe';
import { createAdmin } from '../admin/index.ts';
import type { Listener } from '../access/door.ts';
import { createConsole } from '../sign-in/index.ts';
import type { GatewayContext } from '../../../../gateway/src/context.ts';
import { limitFiles } from './limit-files.ts';
import { mountedErrorAnswer } from './file-refusal.ts';
import { writeResponse } from '@parley/http/answers/write';

/**
 * Serves the administration API and the console, on the public listener only where the operator wants that, and the documentation to
 * clients; refuses unknown paths.
 */
export function createApp(ctx: GatewayContext, listener: Listener): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  if (listener === 'console' || ctx.config.administrationOnPublicPort) {
    app.use(ADMIN_PATH, createAdmin(ctx, listener));
    app.use('/console', createConsole(ctx, listener));
  }
  if (listener === 'public' && ctx.site.handler) app.use('/docs', limitFiles(ctx), ctx.site.handler);
  app.use(() => fail('invalid_endpoint'));
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    guardListener(
      async () => writeResponse(res, await mountedErrorAnswer(ctx, error), { common: {}, compresses: false }),
      (failure) => {
        ctx.log.error({ error: failure }, 'failed to answer a request; closing the connection');
        res.destroy();
      },
    );
  });
  return app;
}
