import type { toHttp } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import type { GatewayContext } from '../../context.ts';
import type { Route } from '../request/route.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import { constantError, errorForm } from '@parley/http/errors/error-form';

const BEARER = 'Bearer';

/** The answer to any error: errors become HTTP here alone. */
export async function errorAnswer(ctx: GatewayContext, error: unknown, route?: Route): Promise<HttpResponse> {
  const { status, body, json, headers } = errorForm(error, ctx.errorDocs);
  if (status >= 500)
    ctx.log[status === 500 ? 'error' : 'warn']({ error, route: route?.path }, 'request failed');
  if (status === 401) return refusal(ctx, body, route);
  return headers ? { status, headers, body, json } : { status, body, json };
}

const METHOD_NOT_ALLOWED = constantError('method_not_allowed');

export function methodNotAllowed(ctx: GatewayContext, allow: string): HttpResponse {
  const { status, body, json } = errorForm(METHOD_NOT_ALLOWED, ctx.errorDocs);
  return { status, body, json, headers: { allow } };
}

/** The value of WWW-Authenticate. The realm is the platform: tokens of all applications are taken. RFC 9110, 11.6.1 */
export function challenge({ wire }: { wire: Wire }, schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme} realm="${wire.name}"`).join(', ');
}

type ErrorBody = ReturnType<typeof toHttp>['body'];

/**
 * The client API answers 401 with a nonce, so that the client can log in at once.
 * docs/protocol/requests.md#authorization
 */
async function refusal(
  ctx: GatewayContext,
  body: ErrorBody,
  route: Route | undefined,
): Promise<HttpResponse> {
  const { schemes, message } = expectedOf(ctx, route);
  const headers = { 'www-authenticate': challenge(ctx, schemes) };
  const data = { ...body.data, schemes };
  const shown = { ...body, message, data };
  if (route?.auth === 'bearer') return { status: 401, headers, body: shown };
  return { status: 401, headers, body: { ...shown, data: { ...data, nonce: await issueNonce(ctx) } } };
}

/** The schemes that a route takes; of several, one is enough. */
function expectedOf({ wire }: GatewayContext, route: Route | undefined) {
  const session = `${wire.authScheme} session-token="…"`;
  switch (route?.auth) {
    case 'bearer':
      return {
        schemes: [BEARER],
        message: 'A valid access token of the application is required: `Authorization: Bearer …`.',
      };
    case 'checked':
      return {
        schemes: [wire.authScheme, BEARER],
        message: `The token in the Authorization header is not valid: \`${session}\` or \`Bearer …\` is accepted.`,
      };
    default:
      return {
        schemes: [wire.authScheme],
        message: `A valid session token is required: \`Authorization: ${session}\`.`,
      };
  }
}

async function issueNonce({ identity, log }: GatewayContext): Promise<string | null> {
  try {
    return (await identity.issueNonce({})).nonce;
  } catch (error) {
    log.warn({ error }, 'failed to issue a nonce; answering 401 without one');
    return null;
  }
}
