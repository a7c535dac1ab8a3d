import { errors } from 'undici';
import { TargetRefused } from './connect.ts';

const NO_ANSWER = 'no answer within 10 s';

/** Why a request to a target failed, in words for its owner. */
export function describeFailure(error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  // Times out an attempt to connect that an earlier request began.
  if (error instanceof errors.ConnectTimeoutError) return NO_ANSWER;
  // Not by instanceof: an aborted request fails with a DOMException.
  const { name, message, code } = Object(error) as {
    name?: string;
    message?: string;
    code?: string | number;
  };
  if (name === 'TimeoutError') return NO_ANSWER;
  return message || String(code ?? name ?? 'no answer');
}
