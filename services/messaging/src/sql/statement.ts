import type { Query, Sql, Tx } from '@parley/kit/postgres';

/** One data-modifying statement with parameters $1, $2 …; equal names have equal texts. */
export type Statement = { name: string; text: string; values: unknown[] };

const COMBINED = new Map<string, { name: string; text: string }>();

/**
 * Runs all statements as one. They share a snapshot, so none sees another's effects, and no two of them may
 * change the same row.
 */
export async function write(sql: Sql, statements: (Statement | undefined)[]): Promise<void> {
  const query = combinedQuery(statements);
  if (query) await sql.execute(query);
}

/** The same as the last statement of the transaction, which shares its round trip with the commit. */
export function writeLast(tx: Tx, statements: (Statement | undefined)[]): void {
  const query = combinedQuery(statements);
  if (query) tx.last(query);
}

function combinedQuery(optionalStatements: (Statement | undefined)[]): Query | undefined {
  const statements = optionalStatements.filter((statement) => statement !== undefined);
  if (statements.length === 0) return undefined;
  const key = statements.map((statement) => statement.name).join(' ');
  let query = COMBINED.get(key);
  if (!query) COMBINED.set(key, (query = { name: `write_${COMBINED.size}`, text: combine(statements) }));
  return { ...query, values: statements.flatMap((statement) => statement.values) };
}

function combine(statements: Statement[]): string {
  let offset = 0;
  const ctes = statements.map(({ text, values }, index) => {
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
