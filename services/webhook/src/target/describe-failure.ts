import { errors } from 'undici';
import { TargetRefused } from './connect.ts';

const NO_ANSWER = 'no answer within 10 s';

/** What went wrong on the way to a target, in words for its owner. */
export function describeFailure(error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  // Of a connection attempt that an earlier request began.
  if (error instanceof errors.ConnectTimeoutError) return NO_ANSWER;
  // Not by instanceof: what aborts a request is a DOMException.
  const { name, message, code } = Object(error) as {
    name?: string;
    message?: string;
    code?: string | number;
  };
  if (name === 'TimeoutError') return NO_ANSWER;
  return message || String(code ?? name ?? 'no answer');
}
