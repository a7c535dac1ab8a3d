import { Router, type Request, type RequestHandler, type Response } from 'express';
import { fail, retryHeaders, toHttp } from '@parley/domain/problems';
import type { ConsoleContext } from '../context.ts';
import { limitFiles } from '../http/limit-files.ts';
import { createOriginCheck, type Listener } from '../access/origin-check.ts';
import { signInMethods } from './endpoints.ts';
import { requireOwnPage } from '../access/own-page.ts';
import { COMMON_HEADERS, servePages } from '../pages/index.ts';
import { noteRefusal } from './refusals.ts';
import { ENDPOINTS, type Endpoint, type EndpointRow } from './table.ts';

/** Serves the paths below /console: sign-in, sessions and the pages. docs/console.md */
export function createConsole(ctx: ConsoleContext, listener: Listener): RequestHandler {
  const originOf = createOriginCheck(ctx.config.consoleUrl, listener);
  const router = Router({ caseSensitive: true });
  router.use((req, res, next) => {
    res.set(COMMON_HEADERS);
    if (originOf(req) === undefined) return fail('invalid_endpoint');
    next();
  });
  for (const row of ENDPOINTS) {
    const [method, path] = row;
    router[method](path, (req: Request, res: Response) => answer(ctx, { req, res, originOf, row }));
  }
  router.use(limitFiles(ctx), servePages(ctx.config));
  return router;
}

function ofOwnPage(endpoint: Endpoint): Endpoint {
  return (call) => {
    requireOwnPage(call.req, call.origin);
    return endpoint(call);
  };
}

type Answering = {
  req: Request;
  res: Response;
  originOf: ReturnType<typeof createOriginCheck>;
  row: EndpointRow;
};

/** Errors have the form of the REST API; 401 says how to sign in. */
async function answer(ctx: ConsoleContext, { req, res, originOf, row }: Answering): Promise<void> {
  const [, , endpoint, caller] = row;
  const origin = originOf(req) ?? fail('invalid_endpoint');
  try {
    await (caller === 'page' ? ofOwnPage(endpoint) : endpoint)({ ctx, req, res, origin });
  } catch (error) {
    await noteRefusal({ ctx, req, res, origin }, row, error);
    const refusal = toHttp(error, ctx.errorDocs);
    if (refusal.status >= 500)
      ctx.log.warn({ error, path: req.path }, 'failed to answer a request of the console');
    const signIn = refusal.status === 401 ? { sign_in: signInMethods(ctx) } : {};
    res.status(refusal.status).set(retryHeaders(refusal) ?? {});
    res.json({ ...refusal.body, ...signIn });
  }
}
