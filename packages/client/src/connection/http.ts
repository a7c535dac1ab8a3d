import { withoutSlashesAtEnd } from '../base-url.ts';
import { answeredWith, ParleyError, type ErrorRecord, unanswered } from '../errors.ts';

export type HttpRequest = {
  readonly method: string;
  /** A path below the platform's address, or a whole address. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The session token; undefined: the request needs none. */
  readonly token?: string | undefined;
};

/** `T`: the type of the body. */
export type HttpAnswer<T = unknown> = {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
};

export type Http = {
  readonly url: string;
  /** The deployment's wire name, such as `svc`. */
  readonly wire: string;
  /** Resolves with an answer of status 2xx; throws a ParleyError otherwise. */
  send<T>(request: HttpRequest): Promise<HttpAnswer<T>>;
};

const ANSWERED_WITHIN_MS = 20_000;

/** `wire` is the scheme of the application's URI. */
export function createHttp(url: string, wire: string, fetchWith: typeof fetch): Http {
  const base = withoutSlashesAtEnd(url);
  return {
    url: base,
    wire,
    async send<T>({ method, path, body, headers = {}, signal, token }: HttpRequest) {
      const answer = await exchange(fetchWith, path.startsWith('http') ? path : base + path, {
        method,
        headers: {
          accept: `application/vnd.${wire}+json; version=3.0`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `${capitalised(wire)} session-token="${token}"` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([AbortSignal.timeout(ANSWERED_WITHIN_MS), ...(signal ? [signal] : [])]),
      });
      if (answer.status < 200 || answer.status > 299) throw errorOf(answer);
      return answer as HttpAnswer<T>;
    },
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

async function exchange(fetchWith: typeof fetch, url: string, init: RequestInit): Promise<HttpAnswer> {
  const response = await fetchWith(url, init).catch(unanswered);
  const { status, headers } = response;
  return { status, headers, body: parsed(await response.text().catch(unanswered), status) };
}

function parsed(text: string, status: number): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy answers errors with pages of its own; a truncated answer is not a valid one.
    if (status >= 400) return null;
    throw new ParleyError({ id: 'invalid_answer' }, { status });
  }
}

/** Status, request id and retry delay of an answer, for its error. */
export function moreOf({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>) {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  };
}

function errorOf(answer: HttpAnswer): ParleyError {
  const { status, body } = answer;
  const more = moreOf(answer);
  if (isErrorRecord(body)) return new ParleyError(body, more);
  const id =
    body !== null && status === 404
      ? 'not_found'
      : status === 401
        ? 'authentication_required'
        : 'invalid_answer';
  return answeredWith(id, more);
}

function isErrorRecord(body: unknown): body is Partial<ErrorRecord> & { id: string } {
  return typeof Object(body).id === 'string';
}

const TRANSIENT_STATUSES: readonly number[] = [401, 408, 425, 429];

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ParleyError)) return false;
  if (error.id === 'network_error' || error.id === 'login_failed') return true;
  if (error.status === undefined) return false;
  return (
    error.status >= 500 ||
    TRANSIENT_STATUSES.includes(error.status) ||
    // For example from a proxy that cannot reach the platform at the moment.
    (error.id === 'invalid_answer' && (error.status < 300 || error.status === 404))
  );
}

/** Ids of transient errors without a status: from a socket, or from the leading tab. */
const PASSING_IDS: readonly string[] = ['service_unavailable', 'rate_limit_exceeded'];

/** Whether the same request may succeed later, including requests by socket and from tabs that do not lead. */
export function mayPass(error: unknown): boolean {
  return isTransient(error) || (error instanceof ParleyError && PASSING_IDS.includes(error.id));
}
