import { create, type JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { ProblemSchema, type Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { GRPC_CODES, isProblemId, problems, type ProblemId } from './table.ts';

export type ProblemDetails = {
  /** Default: the table's. */
  message?: string;
  /** The offending property, such as `parts.0.body`; goes into `data`. */
  property?: string;
  /** Shown to the client: JSON only. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** When to try again; goes into `data` and the header Retry-After. */
  retryAfterSeconds?: number;
};

/** A failure as a record, for one item of a batch. */
export function problem(id: ProblemId, details: ProblemDetails = {}): Problem {
  const { property, retryAfterSeconds } = details;
  const message = details.message ?? defaultMessage(id, property);
  if (property === undefined && retryAfterSeconds === undefined && details.data === undefined) {
    return create(ProblemSchema, { id, message });
  }
  const data: Record<string, unknown> = { ...details.data };
  if (property !== undefined) data['property'] = property;
  if (retryAfterSeconds !== undefined) data['retry_after_seconds'] = retryAfterSeconds;
  return create(ProblemSchema, { id, message, data: data as JsonObject });
}

function defaultMessage(id: ProblemId, property: string | undefined): string {
  if (property === undefined) return problems[id].message;
  if (id === 'missing_property') return `The property \`${property}\` is required.`;
  if (id === 'invalid_property') return `The property \`${property}\` is not valid.`;
  return problems[id].message;
}

/** Throws a ConnectError that carries the problem, through any number of processes, to the gateway. */
export function fail(id: ProblemId, details?: ProblemDetails): never {
  return failWith(problem(id, details));
}

export function failWith(problem: Problem): never {
  throw errorOf(problem);
}

/** The error that `failWith` throws. */
export function errorOf(problem: Problem): ConnectError {
  const code = isProblemId(problem.id) ? GRPC_CODES[problem.id] : Code.Internal;
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
