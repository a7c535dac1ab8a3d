import { ParleyError, type ErrorRecord } from '../errors.ts';

const ERRORS_WITHOUT_BODY: Readonly<Record<number, Pick<ErrorRecord, 'id' | 'code' | 'message'>>> = {
  404: { id: 'not_found', code: 102, message: 'There is no such object.' },
  413: { id: 'request_entity_too_large', code: 11, message: 'The request body is too large.' },
  429: { id: 'rate_limit_exceeded', code: 7, message: 'Too many requests.' },
  503: { id: 'service_unavailable', code: 1, message: 'The service is unavailable at the moment.' },
};

/**
 * The error that an answer stands for: the API's, or `invalid_answer` if the body is not one.
 *
 * @param response An answer whose status is 400 or above; its body is read.
 */
export async function errorOfResponse(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const more = { status, requestId, retryAfter: secondsOf(headers.get('retry-after')) };
  const body = parse(await response.text().catch(() => ''));
  if (isErrorRecord(body)) return new ParleyError(body, more);
  const message = `The answer with status ${status} is not one of the API.`;
  return new ParleyError(ERRORS_WITHOUT_BODY[status] ?? { id: 'invalid_answer', message }, more);
}

function isErrorRecord(value: unknown): value is ErrorRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { id, code, message } = Object(value);
  return typeof id === 'string' && typeof code === 'number' && typeof message === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The header `Retry-After`, in seconds or as a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
