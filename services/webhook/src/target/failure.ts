import { TargetRefused } from './connect.ts';

/** What went wrong on the way to a target, in words for its owner. */
export function describeFailure(error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  // Not by instanceof: what aborts a request is a DOMException.
  const { name, message, code } = Object(error) as {
    name?: string;
    message?: string;
    code?: string | number;
  };
  if (name === 'TimeoutError') return 'no answer within 10 s';
  return message || String(code ?? name ?? 'no answer');
}
