import { Code, ConnectError } from '@connectrpc/connect';

const TRANSIENT_CODES: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.ResourceExhausted,
]);

/** Whether an error with this status is transient: an unreachable process, a lock, a full queue, a late answer. */
export function isTransientCode(code: Code): boolean {
  return TRANSIENT_CODES.has(code);
}

/** Whether an error is transient; an error without a status is not. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectError && isTransientCode(error.code);
}

/** Whether an error is transient, or the request was cancelled: work that serves more than this request is then tried again. */
export function isTransientOrCancelled(error: unknown): boolean {
  return isTransient(error) || (error instanceof ConnectError && error.code === Code.Canceled);
}
