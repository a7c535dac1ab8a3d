import type { IncomingMessage } from 'node:http';
import type { Fault } from './fault.ts';
import { isWellEncoded, parseTarget, type Target } from './target.ts';

/** A host with an optional port, as in an address. No comma: it would join two headers, and no host contains one. RFC 9110, 7.2 */
const HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

const NO_HOST: Fault = { kind: 'malformed', header: 'Host', message: 'The request has no Host header.' };
const SEVERAL_HOSTS: Fault = {
  kind: 'malformed',
  header: 'Host',
  message: 'The request has more than one Host header.',
};
const BAD_HOST: Fault = {
  kind: 'malformed',
  header: 'Host',
  message: 'The Host header is not a host and a port.',
};
const BAD_CODING: Fault = {
  kind: 'malformed',
  header: 'Transfer-Encoding',
  message: 'Transfer-Encoding must be chunked.',
};
const BAD_TARGET: Fault = { kind: 'malformed', message: 'The request target is not a path.' };
const BAD_PATH: Fault = {
  kind: 'malformed',
  message: 'The path is not percent-encoded UTF-8.',
  keepsConnection: true,
};

/**
 * Checks the rules of all requests to all listeners: exactly one Host, a target that is a path or an absolute address, no transfer coding but
 * `chunked`, and a path of percent-encoded UTF-8. An absolute target is replaced by its path, and its authority stands in for Host.
 */
export function checkRequest(req: IncomingMessage): Target | Fault {
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return BAD_CODING;
  const fault = faultOfHost(req);
  if (fault) return fault;
  const target = parseTarget(req.url ?? '', req.method);
  if (!target) return BAD_TARGET;
  if (!isWellEncoded(target.path)) return BAD_PATH;
  if (target.authority === undefined) return target;
  if (!HOST.test(target.authority)) return BAD_TARGET;
  req.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
  req.headers.host = target.authority;
  return target;
}

/** Node keeps the first of several Host headers; a proxy in front may keep another. */
function faultOfHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): Fault | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return SEVERAL_HOSTS;
  if (count === 0) return httpVersion === '1.0' ? undefined : NO_HOST;
  return host !== undefined && HOST.test(host) ? undefined : BAD_HOST;
}

export function isFault(checked: Target | Fault): checked is Fault {
  return 'kind' in checked;
}
