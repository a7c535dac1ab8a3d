import pg from 'pg';

// How values are parsed: int8 and numeric as number (counts, positions, milliseconds stay below 2^53), timestamptz as
// milliseconds since the epoch, arrays of these likewise, bytea as Buffer, json and jsonb parsed, the rest as text.

type Parse = (text: string) => unknown;
type ArrayParser = { create(text: string, parse: Parse): { parse(): unknown[] } };

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, int8s: 1016, numerics: 1231, timestamptzs: 1185 };
const { arrayParser } = pg.types as unknown as { arrayParser: ArrayParser };

/** Converts `2024-05-01 10:00:00.123456+00` to milliseconds since the epoch; the session's time zone is UTC. */
export function parseTimestamp(text: string): number {
  if (text.endsWith('+00')) {
    const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  if (text === 'infinity') return Infinity;
  if (text === '-infinity') return -Infinity;
  return Date.parse(text);
}

function arrayOf(parse: Parse): Parse {
  return (text) => arrayParser.create(text, parse).parse();
}

const PARSERS = new Map<number, Parse>([
  [OID.int8, Number],
  [OID.numeric, Number],
  [OID.timestamptz, parseTimestamp],
  [OID.int8s, arrayOf(Number)],
  [OID.numerics, arrayOf(Number)],
  [OID.timestamptzs, arrayOf(parseTimestamp)],
]);

const DEFAULT_TYPES = pg.types.getTypeParser as (typeId: number, format?: 'text' | 'binary') => Parse;

export const VALUE_TYPES = {
  getTypeParser: ((typeId: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(typeId)) ||
    DEFAULT_TYPES(typeId, format)) as typeof pg.types.getTypeParser,
};
