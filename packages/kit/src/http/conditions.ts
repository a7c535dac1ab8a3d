import type { IncomingHttpHeaders } from 'node:http';

/** Answer to a conditional request: `whole` is the usual one, `unchanged` a 304, `failed` a 412. */
export type Condition = 'whole' | 'unchanged' | 'failed';

type ConditionHeaders = Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>;

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/gy;
const SEPARATOR = /[\t ,]*/gy;

/**
 * Evaluates If-Match and If-None-Match of a GET or HEAD for an existing resource with this ETag. A malformed list has no tags. RFC 9110,
 * 13.2.2
 */
export function conditionOf(headers: ConditionHeaders, etag: string): Condition {
  const { 'if-match': wanted, 'if-none-match': known } = headers;
  if (wanted !== undefined) {
    const tags = parseTags(wanted);
    // Compared strongly: weak tags and malformed tags match nothing.
    if (tags !== '*' && (isWeak(etag) || !tags?.includes(etag))) return 'failed';
  }
  if (known === undefined) return 'whole';
  const tags = parseTags(known);
  if (!tags) return 'whole';
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag)) ? 'unchanged' : 'whole';
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

/** Parses the tags of a list, which may contain commas; `*`: any. Undefined: the list is malformed or empty. One pass. */
function parseTags(header: string): string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let at = 0;
  for (;;) {
    at = endOf(SEPARATOR, header, at) ?? at;
    if (at === header.length) return tags.length > 0 ? tags : undefined;
    const end = endOf(TAG, header, at);
    if (end === undefined) return undefined;
    tags.push(header.slice(at, end));
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
