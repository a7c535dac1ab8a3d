import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { Code, ConnectError } from '@connectrpc/connect';
import { ProblemSchema, type Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { expectedError } from './expected-error.ts';
import { GRPC_CODES, isProblemId, problems, type ProblemId } from './table.ts';

export type ProblemDetails = {
  /** Default: the table's. */
  message?: string;
  /** The offending property, such as `parts.0.body`; goes into `data`. */
  property?: string;
  /** The accepted values; goes into `data`. */
  accepted?: readonly string[];
  /** Shown to the client: JSON only. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds until the next attempt; goes into `data` and the header Retry-After. */
  retryAfterSeconds?: number;
};

/** Problems other than not_found, for which `notFound` names the missing object. */
export type PlainProblemId = Exclude<ProblemId, 'not_found'>;

/** A failure as a record, for one item of a batch. */
export function problem(id: PlainProblemId, details?: ProblemDetails): Problem {
  return createProblem(id, details);
}

/** Creates a problem of any id; other modules use `problem` and `notFound`. */
export function createProblem(id: ProblemId, details: ProblemDetails = {}): Problem {
  const { property, accepted, retryAfterSeconds } = details;
  const message = details.message ?? defaultMessage(id, property);
  const data: Record<string, unknown> = { ...details.data };
  if (property !== undefined) data['property'] = property;
  if (accepted !== undefined) data['accepted'] = [...accepted];
  if (retryAfterSeconds !== undefined) data['retry_after_seconds'] = retryAfterSeconds;
  const isEmpty = details.data === undefined && Object.keys(data).length === 0;
  return create(ProblemSchema, isEmpty ? { id, message } : { id, message, data: data as JsonObject });
}

function defaultMessage(id: ProblemId, property: string | undefined): string {
  if (property === undefined) return problems[id].message;
  if (id === 'missing_property') return `The property \`${property}\` is required.`;
  if (id === 'invalid_property') return `The property \`${property}\` is not valid.`;
  return problems[id].message;
}

/** Throws a ConnectError that carries the problem, through any number of processes, to the gateway. */
export function fail(id: PlainProblemId, details?: ProblemDetails): never {
  return failWith(problem(id, details));
}

export function failWith(problem: Problem): never {
  throw errorOf(problem);
}

/** The error that `failWith` throws. Only an internal error has a stack: all other problems are expected. */
export function errorOf(problem: Problem): ConnectError {
  const code = isProblemId(problem.id) ? GRPC_CODES[problem.id] : Code.Internal;
  if (code !== Code.Internal) return expectedError(problem, code);
  return new ConnectError(problem.message, code, undefined, [{ desc: ProblemSchema, value: problem }]);
}

/** The refusal of a concurrency limit: the caller has too many requests under way. */
export function tooManyAtOnce(): ConnectError {
  const message = 'Too many requests at once.';
  return errorOf(
    problem('rate_limit_exceeded', { message, data: { policy: 'concurrency' }, retryAfterSeconds: 1 }),
  );
}

/** The problem that an error carries; undefined for every other error. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof ConnectError ? error.findDetails(ProblemSchema)[0] : undefined;
}
