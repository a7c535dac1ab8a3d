/** Short texts that are repeated to values of any length: separators, openings without an end, escapes, and elements of lists. */
export const PUMPS = [
  ...['"', '\\"', '\\', ',', ';', '=', ' \t', '",', '";', '[', '%', '1', '.', '\xe9'],
  ...['a,', 'a;', 'a=b;', 'a="b', '*/*,', 'a/b;c="d,', 'W/"', '0-1,', 'svc-3.1,', 'xn--'],
];

/** Prefixes by which a parser recognises its kind of value. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  authorization: 'Svc session-token="',
  range: 'bytes=',
  'content-range': 'bytes ',
  'x-forwarded-for': '203.0.113.1, ',
  cookie: 'a=',
  host: 'localhost',
  origin: 'https://',
};

/** A value of a header; trailing white space would be cut off before a server sees it. */
export function hostileValue(
  name: string,
  pump: string,
  { length, end = 'x' }: { length: number; end?: string },
): string {
  const beginning = BEGINNINGS[name] ?? '';
  return `${beginning}${pump.repeat(Math.floor((length - beginning.length - 1) / pump.length))}${end}`;
}
