import { problem, retryHeaders, toHttp } from '@parley/domain/problems';
import type { GatewayContext } from '../context.ts';
import type { Route } from '../routes/request/route.ts';
import type { HttpResponse } from '../responses/response.ts';

/** The answer to any error: errors become HTTP here alone. */
export async function errorAnswer(ctx: GatewayContext, error: unknown, route?: Route): Promise<HttpResponse> {
  const { status, body, retryAfter } = toHttp(error, ctx.errorDocs);
  if (status >= 500)
    ctx.log[status === 500 ? 'error' : 'warn']({ error, route: route?.path }, 'request failed');
  if (status === 401) return refusal(ctx, body, route);
  const headers = retryHeaders({ body, retryAfter });
  return headers ? { status, headers, body } : { status, body };
}

export function methodNotAllowed(ctx: GatewayContext, allow: string): HttpResponse {
  const { status, body } = toHttp(problem('method_not_allowed'), ctx.errorDocs);
  return { status, body, headers: { allow } };
}

type ErrorBody = ReturnType<typeof toHttp>['body'];

/** The client API answers 401 with a nonce, so that the client can log in at once. SPEC completions 2. */
async function refusal(
  ctx: GatewayContext,
  body: ErrorBody,
  route: Route | undefined,
): Promise<HttpResponse> {
  if (route?.auth === 'bearer') return { status: 401, headers: { 'www-authenticate': 'Bearer' }, body };
  const headers = { 'www-authenticate': ctx.wire.authScheme };
  return { status: 401, headers, body: { ...body, data: { ...body.data, nonce: await issueNonce(ctx) } } };
}

async function issueNonce({ identity, log }: GatewayContext): Promise<string | null> {
  try {
    return (await identity.issueNonce({})).nonce;
  } catch (error) {
    log.warn({ error }, 'failed to issue a nonce; answering 401 without one');
    return null;
  }
}
