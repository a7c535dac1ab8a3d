import type { Query, Sql, Tx } from '@parley/kit/postgres';

/** One data-modifying statement with parameters $1, $2 …; equal names have equal texts. */
export type Part = { name: string; text: string; values: unknown[] };

const COMBINED = new Map<string, { name: string; text: string }>();

/**
 * Runs all parts as one statement. They share a snapshot, so no part sees another's effects, and no two parts may
 * change the same row.
 */
export async function write(sql: Sql, parts: (Part | undefined)[]): Promise<void> {
  const query = combinedQuery(parts);
  if (query) await sql.execute(query);
}

/** The same as the last statement of the transaction, which shares its round trip with the commit. */
export function writeLast(tx: Tx, parts: (Part | undefined)[]): void {
  const query = combinedQuery(parts);
  if (query) tx.last(query);
}

function combinedQuery(optionalParts: (Part | undefined)[]): Query | undefined {
  const parts = optionalParts.filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const key = parts.map((part) => part.name).join(' ');
  let query = COMBINED.get(key);
  if (!query) COMBINED.set(key, (query = { name: `write_${COMBINED.size}`, text: combine(parts) }));
  return { ...query, values: parts.flatMap((part) => part.values) };
}

function combine(parts: Part[]): string {
  let offset = 0;
  const ctes = parts.map(({ text, values }, index) => {
    const shifted = text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`);
    offset += values.length;
    return `part_${index} as (${shifted})`;
  });
  return `with ${ctes.join(',\n')}\nselect 1`;
}

/** The values of one property of all rows, as an array parameter for `unnest`. */
export function column<T, K extends keyof T>(rows: readonly T[], key: K): T[K][] {
  return rows.map((row) => row[key]);
}
