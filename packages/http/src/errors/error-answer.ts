import type { ErrorDocs } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { HttpResponse } from '../answers/response.ts';
import { constantError, errorForm, type ErrorForm } from './error-form.ts';

type Parts = { errorDocs: ErrorDocs; log: Logger };
/** `route`: the path of the table's row. */
type Failed = { error: unknown; route?: string | undefined };

/** The answer to an error, which is logged where the platform is at fault. */
export function errorAnswer(parts: Parts, error: unknown): HttpResponse {
  return formAnswer(parts, errorForm(error, parts.errorDocs), { error });
}

/** As `errorAnswer`, for an error whose form is made already. */
export function formAnswer({ log }: Pick<Parts, 'log'>, form: ErrorForm, failed: Failed): HttpResponse {
  const { status, body, json, headers } = form;
  if (status >= 500)
    log[status === 500 ? 'error' : 'warn']({ error: failed.error, route: failed.route }, 'request failed');
  return headers ? { status, headers, body, json } : { status, body, json };
}

/** The value of WWW-Authenticate. The realm is the platform: tokens of all applications are taken. RFC 9110, 11.6.1 */
export function challenge({ wire }: { wire: Wire }, schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme} realm="${wire.name}"`).join(', ');
}

/** For a path that no listener of the platform has. */
export const UNKNOWN_PATH = constantError('invalid_endpoint');
