import { Router, type Request, type RequestHandler, type Response } from 'express';
import { fail, retryHeaders, toHttp } from '@parley/domain/problems';
import type { GatewayContext } from '../context.ts';
import { createDoor, type Listener } from './door.ts';
import {
  createAppToken,
  endSession,
  getSession,
  listSessions,
  signInByCode,
  signInMethods,
  signOut,
  type ConsoleCall,
} from './endpoints.ts';
import { requireOwnPage } from './own-page.ts';
import { endProviderSession, finishOidc, startOidc } from './oidc/sign-in.ts';
import { COMMON_HEADERS, servePages } from './pages.ts';

type Endpoint = (call: ConsoleCall) => Promise<void>;

/** Serves the paths below /console: sign-in, sessions and the pages. docs/console.md */
export function createConsole(ctx: GatewayContext, listener: Listener): RequestHandler {
  const door = createDoor(ctx.config.consoleUrl, listener);
  const router = Router();
  const own = (endpoint: Endpoint) => (req: Request, res: Response) =>
    answer(ctx, { req, res, door, endpoint: ofOwnPage(endpoint) });
  // The identity provider sends browsers here; the sealed cookie and `state` tie it to a sign-in that began here.
  const foreign = (endpoint: Endpoint) => (req: Request, res: Response) =>
    answer(ctx, { req, res, door, endpoint });
  router.use((req, res, next) => {
    res.set(COMMON_HEADERS);
    if (door(req) === undefined) return fail('invalid_endpoint');
    next();
  });
  router.get('/session', own(getSession));
  router.post('/sign-in/code', own(signInByCode));
  router.get('/sign-in/oidc', own(startOidc));
  router.get('/sign-in/oidc/callback', foreign(finishOidc));
  router.post('/sign-out', own(signOut));
  router.get('/sign-out/oidc', own(endProviderSession));
  router.get('/sessions', own(listSessions));
  router.delete('/sessions/:id', own(endSession));
  router.post('/app-token', own(createAppToken));
  router.use(servePages(ctx.config));
  return router;
}

function ofOwnPage(endpoint: Endpoint): Endpoint {
  return (call) => {
    requireOwnPage(call.req, call.origin);
    return endpoint(call);
  };
}

type Answering = { req: Request; res: Response; door: ReturnType<typeof createDoor>; endpoint: Endpoint };

/** Errors have the form of the REST API; 401 says how to sign in. */
async function answer(ctx: GatewayContext, { req, res, door, endpoint }: Answering): Promise<void> {
  try {
    const origin = door(req) ?? fail('invalid_endpoint');
    await endpoint({ ctx, req, res, origin });
  } catch (error) {
    const refusal = toHttp(error, ctx.errorDocs);
    if (refusal.status >= 500)
      ctx.log.warn({ error, path: req.path }, 'failed to answer a request of the console');
    const signIn = refusal.status === 401 ? { sign_in: signInMethods(ctx) } : {};
    res.status(refusal.status).set(retryHeaders(refusal) ?? {});
    res.json({ ...refusal.body, ...signIn });
  }
}
