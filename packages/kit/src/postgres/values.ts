import pg from 'pg';

// How values come back: int8 and numeric as number (counts, positions, milliseconds stay below 2^53), timestamptz as
// milliseconds since the epoch, arrays of these likewise, bytea as Buffer, json and jsonb parsed, the rest as text.

type Parse = (text: string) => unknown;
type ArrayParser = { create(text: string, parse: Parse): { parse(): unknown[] } };

const oid = { int8: 20, numeric: 1700, timestamptz: 1184, int8s: 1016, numerics: 1231, timestamptzs: 1185 };
const { arrayParser } = pg.types as unknown as { arrayParser: ArrayParser };

/** `2024-05-01 10:00:00.123456+00` as milliseconds; the session's time zone is UTC. */
export function parseTimestamp(text: string): number {
  if (text.endsWith('+00')) {
    const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  if (text === 'infinity') return Infinity;
  if (text === '-infinity') return -Infinity;
  return Date.parse(text);
}

const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    arrayParser.create(text, parse).parse();

const parsers = new Map<number, Parse>([
  [oid.int8, Number],
  [oid.numeric, Number],
  [oid.timestamptz, parseTimestamp],
  [oid.int8s, arrayOf(Number)],
  [oid.numerics, arrayOf(Number)],
  [oid.timestamptzs, arrayOf(parseTimestamp)],
]);

const defaults = pg.types.getTypeParser as (typeId: number, format?: 'text' | 'binary') => Parse;

export const valueTypes = {
  getTypeParser: ((typeId: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(typeId)) ||
    defaults(typeId, format)) as typeof pg.types.getTypeParser,
};
