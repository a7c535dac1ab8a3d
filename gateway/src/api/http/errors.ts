import type { toHttp } from '@parley/domain/problems';
import type { HttpResponse } from '@parley/http/answers/response';
import { challenge, formAnswer } from '@parley/http/errors/error-answer';
import { constantError, errorForm } from '@parley/http/errors/error-form';
import type { Uses } from '../context.ts';
import type { Route } from '../request/route.ts';

const BEARER = 'Bearer';

type Context = Uses<'errorDocs' | 'log' | 'wire' | 'identity'>;

/** The answer to any error. Only this file turns errors into HTTP. */
export async function errorAnswer(ctx: Context, error: unknown, route?: Route): Promise<HttpResponse> {
  const form = errorForm(error, ctx.errorDocs);
  if (form.status === 401) return refusal(ctx, form.body, route);
  return formAnswer(ctx, form, { error, route: route?.path });
}

const METHOD_NOT_ALLOWED = constantError('method_not_allowed');

export function methodNotAllowed(ctx: Uses<'errorDocs'>, allow: string): HttpResponse {
  const { status, body, json } = errorForm(METHOD_NOT_ALLOWED, ctx.errorDocs);
  return { status, body, json, headers: { allow } };
}

type ErrorBody = ReturnType<typeof toHttp>['body'];

/**
 * The client API answers 401 with a nonce, so that the client can log in at once.
 * docs/protocol/requests.md#authorization
 */
async function refusal(ctx: Context, body: ErrorBody, route: Route | undefined): Promise<HttpResponse> {
  const { schemes, message } = expectedOf(ctx, route);
  const headers = { 'www-authenticate': challenge(ctx, schemes) };
  const data = { ...body.data, schemes };
  const shown = { ...body, message, data };
  if (route?.auth === 'bearer') return { status: 401, headers, body: shown };
  return { status: 401, headers, body: { ...shown, data: { ...data, nonce: await issueNonce(ctx) } } };
}

/** Authentication schemes that a route accepts; one of them suffices. */
function expectedOf({ wire }: Uses<'wire'>, route: Route | undefined) {
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

async function issueNonce({ identity, log }: Uses<'identity' | 'log'>): Promise<string | null> {
  try {
    return (await identity.issueNonce({})).nonce;
  } catch (error) {
    log.warn({ error }, 'failed to issue a nonce; answering 401 without one');
    return null;
  }
}
