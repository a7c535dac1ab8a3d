import { Code, ConnectError } from '@connectrpc/connect';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';

/** An answer of the REST API or of the console's own paths that is no success. */
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

/** What a page shows of a failure. `errorId` names a section of the documentation; `status` is 0 without an answer. */
export type Failure = { status: number; errorId: string; message: string; requestId: string | undefined };

const STATUSES: Partial<Record<Code, number>> = {
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.ResourceExhausted]: 429,
};
const UNREACHABLE = 'No answer: try again.';

export function describeFailure(error: unknown): Failure {
  if (error instanceof RequestFailure) {
    const { status, errorId, message, requestId } = error;
    return { status, errorId, message, requestId };
  }
  if (error instanceof ConnectError) return describeConnect(error);
  if (error instanceof TypeError) {
    return { status: 0, errorId: 'unreachable', message: UNREACHABLE, requestId: undefined };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { status: 0, errorId: 'unexpected', message, requestId: undefined };
}

function describeConnect(error: ConnectError): Failure {
  const [problem] = error.findDetails(ProblemSchema);
  const requestId = error.metadata.get('x-request-id') ?? undefined;
  const status = STATUSES[error.code] ?? 0;
  if (problem) return { status, errorId: problem.id, message: problem.message, requestId };
  const isUnanswered = error.code === Code.Unknown && error.cause instanceof TypeError;
  const errorId = Code[error.code].replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
  return { status, errorId, message: isUnanswered ? UNREACHABLE : error.rawMessage, requestId };
}

export function isSignedOut(error: unknown): boolean {
  return describeFailure(error).status === 401;
}
