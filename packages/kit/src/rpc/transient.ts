import { Code, ConnectError } from '@connectrpc/connect';

const TRANSIENT_CODES: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.ResourceExhausted,
]);

/** Whether an error of this status may go away by waiting: an unreachable process, a lock, a full queue, a late answer. */
export function isTransientCode(code: Code): boolean {
  return TRANSIENT_CODES.has(code);
}

/** The same of an error; one without a status is not transient. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectError && isTransientCode(error.code);
}

/** The same, or the request was cancelled: work that is not done for one request alone is then tried again. */
export function isTransientOrCancelled(error: unknown): boolean {
  return isTransient(error) || (error instanceof ConnectError && error.code === Code.Canceled);
}
