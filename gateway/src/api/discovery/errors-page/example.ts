import { STATUS_CODES } from 'node:http';
import { errors, type ErrorId } from '@parley/contract/errors';
import type { ErrorExample } from '@parley/contract/error-docs';

/** Completes a sentence that begins with `Sent`. */
export function senderOf({ caller }: ErrorExample): string {
  if (caller === 'anyone') return 'without a token';
  return caller === 'server' ? 'by the application’s server' : `by the user ${caller.user}`;
}

/** The request of an example as HTTP. */
export function exampleRequest({ method, path, headers = {}, body }: ErrorExample): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return withBody([`${method} ${path}`, ...lines], body);
}

/** The answer of an example as HTTP; `docsUrl` is the page's address. */
export function exampleAnswer(id: ErrorId, { message, data }: ErrorExample, docsUrl: string): string {
  const { code, httpStatus, message: usual } = errors[id];
  const body = { id, code, message: message ?? usual, url: `${docsUrl}#${id}`, data };
  return withBody([`${httpStatus} ${STATUS_CODES[httpStatus] ?? ''}`], body);
}

function withBody(head: string[], body: unknown): string {
  if (body === undefined) return head.join('\n');
  return `${head.join('\n')}\n\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;
}
