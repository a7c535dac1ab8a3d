import { Code, ConnectError } from '@connectrpc/connect';
import { ParleyError } from '@parley/client/server';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';

/** An answer of the console's own paths that is no success. */
export class RequestFailure extends Error {
  readonly status: number;
  readonly errorId: string;
  readonly requestId: string | undefined;

  constructor(message: string, { status, errorId, requestId }: Omit<Failure, 'message'>) {
    super(message);
    this.name = 'RequestFailure';
    this.status = status;
    this.errorId = errorId;
    this.requestId = requestId;
  }
}

/** A failure as a page shows it. `errorId` names a section of the documentation; `status` is 0 without an answer. */
export type Failure = { status: number; errorId: string; message: string; requestId: string | undefined };

const STATUSES: Partial<Record<Code, number>> = {
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.ResourceExhausted]: 429,
};
const UNREACHABLE: Failure = {
  status: 0,
  errorId: 'unreachable',
  message: 'No answer: try again.',
  requestId: undefined,
};
/** Ids of the console and of the client library, which the documentation of errors does not have. */
const OWN_IDS = ['unreachable', 'unexpected', 'invalid_answer', 'invalid_id', 'request_canceled'];

export function describeFailure(error: unknown): Failure {
  if (error instanceof RequestFailure) {
    const { status, errorId, message, requestId } = error;
    return { status, errorId, message, requestId };
  }
  if (error instanceof ParleyError) return describeParley(error);
  if (error instanceof ConnectError) return describeConnect(error);
  if (error instanceof TypeError) return UNREACHABLE;
  const message = error instanceof Error ? error.message : String(error);
  return { status: 0, errorId: 'unexpected', message, requestId: undefined };
}

function describeParley({ id, message, status = 0, requestId }: ParleyError): Failure {
  return id === 'network_error' ? UNREACHABLE : { status, errorId: id, message, requestId };
}

function describeConnect(error: ConnectError): Failure {
  const [problem] = error.findDetails(ProblemSchema);
  const requestId = error.metadata.get('x-request-id') ?? undefined;
  const status = STATUSES[error.code] ?? 0;
  if (problem) return { status, errorId: problem.id, message: problem.message, requestId };
  const isUnanswered = error.code === Code.Unknown && error.cause instanceof TypeError;
  const errorId = Code[error.code].replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
  return { status, errorId, message: isUnanswered ? UNREACHABLE.message : error.rawMessage, requestId };
}

/** Whether the documentation of errors has a section for an id. */
export function isDocumented(errorId: string): boolean {
  return !OWN_IDS.includes(errorId) && !errorId.startsWith('http_');
}

export function isSignedOut(error: unknown): boolean {
  return describeFailure(error).status === 401;
}

export function isNotFound(error: unknown): boolean {
  return describeFailure(error).status === 404;
}
