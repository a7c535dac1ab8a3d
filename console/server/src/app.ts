import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { ADMIN_PATH } from '@parley/administration/describe';
import { fail } from '@parley/domain/problems';
import { writeResponse } from '@parley/http/answers/write';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Listener } from './access/origin-check.ts';
import { createAdmin } from './admin/index.ts';
import type { ConsoleContext } from './context.ts';
import { createConsole } from './sign-in/index.ts';
import { mountedErrorAnswer } from './http/file-refusal.ts';
import { limitFiles } from './http/limit-files.ts';

/**
 * `operators`: the listener by which the administration API and the console are reached; undefined: they are not served. `site`
 * undefined: nor is the documentation.
 */
type Served = { operators: Listener | undefined; site: RequestHandler | undefined };

/** Serves some of the administration API, the console and the documentation; refuses unknown paths. */
export function createApp(ctx: ConsoleContext, { operators, site }: Served): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  if (operators) {
    app.use(ADMIN_PATH, createAdmin(ctx, operators));
    app.use('/console', createConsole(ctx, operators));
  }
  if (site) app.use('/docs', limitFiles(ctx), site);
  app.use(() => fail('invalid_endpoint'));
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    guardListener(
      () => writeResponse(res, mountedErrorAnswer(ctx, error), { common: {}, compresses: false }),
      (failure) => {
        ctx.log.error({ error: failure }, 'failed to answer a request; closing the connection');
        res.destroy();
      },
    );
  });
  return app;
}
