import { isMessage } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { ErrorRecord } from '@parley/contract/records/error';
import { ProblemSchema, type Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { errorJson, type ErrorDocs } from '../json/error.ts';
import { problem, problemOf } from './problem.ts';
import { isProblemId, statusOf } from './table.ts';

export type HttpProblem = {
  status: number;
  body: ErrorRecord;
  /** Seconds, for the header Retry-After. */
  retryAfter?: number;
};

/** The client has disconnected; this status is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * The form of a failure for clients of REST and WebSocket. An error outside the table becomes a 500 without details; the caller logs the
 * cause.
 */
export function toHttp(error: unknown, docs: ErrorDocs): HttpProblem {
  const shown = knownProblem(
    isMessage(error, ProblemSchema) ? error : (problemOf(error) ?? translate(error)),
  );
  const id = isProblemId(shown.id) ? shown.id : 'internal_server_error';
  const httpStatus = statusOf(id, shown.data);
  const body = errorJson(shown, docs);
  if (isCanceled(error)) return { status: CLIENT_CLOSED_REQUEST, body };
  const retryAfter = retryAfterOf(shown);
  return retryAfter === undefined ? { status: httpStatus, body } : { status: httpStatus, body, retryAfter };
}

// A newer process may know problems that this one does not.
function knownProblem(given: Problem): Problem {
  return isProblemId(given.id) ? given : problem('internal_server_error');
}

const UNAVAILABLE_CODES: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.ResourceExhausted,
  Code.Aborted,
  // For a client, a backend that does not answer in time is down.
  Code.DeadlineExceeded,
  // During an upgrade, a process of the previous release does not know a call added since.
  Code.Unimplemented,
]);

/** The problem of a service that was unreachable, full or late; undefined: the error carries a problem, or is of another kind. */
export function unavailability(error: unknown): Problem | undefined {
  if (!(error instanceof ConnectError) || problemOf(error) || !UNAVAILABLE_CODES.has(error.code))
    return undefined;
  return problem('service_unavailable', { retryAfterSeconds: 1 });
}

function translate(error: unknown): Problem {
  if (!(error instanceof ConnectError)) return problem('internal_server_error');
  const unavailable = unavailability(error);
  if (unavailable) return unavailable;
  switch (error.code) {
    case Code.Canceled:
      return problem('request_timeout');
    case Code.InvalidArgument:
      return problem('invalid_request');
    default:
      return problem('internal_server_error');
  }
}

function isCanceled(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Canceled && !problemOf(error);
}

function retryAfterOf({ id, data }: Problem): number | undefined {
  const told = data?.['retry_after_seconds'];
  if (typeof told === 'number') return Math.max(1, Math.ceil(told));
  return id === 'service_unavailable' || id === 'rate_limit_exceeded' ? 1 : undefined;
}
