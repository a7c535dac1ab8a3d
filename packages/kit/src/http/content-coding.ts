import type { IncomingHttpHeaders } from 'node:http';
import { parseTokenList } from './header-list.ts';

/**
 * Whether a request has a body that must be decoded before it is read, for example from `gzip`. False without a body, whatever the headers
 * say, and for `identity`, which leaves a body unchanged. RFC 9110, 8.4
 */
export function hasCodedBody(headers: IncomingHttpHeaders): boolean {
  const named = headers['content-encoding'];
  if (named === undefined || !hasBody(headers)) return false;
  return parseTokenList(named).some((coding) => coding.toLowerCase() !== 'identity');
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
