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

/** Whether an error may go away by waiting; one without a status does not. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectError && isTransientCode(error.code);
}

/** Whether it may go away by waiting, or the request was cancelled: work that is not done for one request alone is then tried again. */
export function isTransientOrCancelled(error: unknown): boolean {
  return isTransient(error) || (error instanceof ConnectError && error.code === Code.Canceled);
}
