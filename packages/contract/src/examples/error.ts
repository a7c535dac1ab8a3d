import { errors, type ErrorId } from '../errors.ts';
import type { ErrorRecord } from '../records/error.ts';
import { BASE } from './base.ts';

function error(id: ErrorId, data: Readonly<Record<string, unknown>> | null): ErrorRecord {
  const { code, message } = errors[id];
  return { id, code, message, url: `${BASE}/docs/errors#${id}`, data };
}

export const RATE_LIMIT_EXCEEDED = error('rate_limit_exceeded', {
  policy: 'session',
  retry_after_seconds: 1,
});

export const INVALID_REQUEST = error('invalid_request', null);
