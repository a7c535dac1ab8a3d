import type { Query, Sql, Tx } from '@parley/kit/postgres';

/** One data-modifying statement with parameters $1, $2 …; equal names have equal texts. */
export type Statement = { name: string; text: string; values: unknown[] };

/** Marker in the `where` of a data-modifying statement. `writeLastIf` replaces it by its condition; everywhere else it is `true`. */
export const WRITE_CONDITION = '/* condition */ true';

/** A condition that is evaluated once, before any row is written: a query of one row with a boolean column `holds`. */
export type Condition = Statement;

type Combined = { name: string; text: string };

const COMBINED = new Map<string, Combined>();

const TEXTS = new Map<string, string>();

/** The text of a statement that depends on its name only, made once. The driver compares texts, which is fast for the same string. */
export function textOf(name: string, make: () => string): string {
  let text = TEXTS.get(name);
  if (text === undefined) TEXTS.set(name, (text = make()));
  return text;
}

/**
 * Runs all statements as one. They share a snapshot, so none sees another's effects, and no two of them may
 * change the same row.
 */
export async function write(sql: Sql, statements: (Statement | undefined)[]): Promise<void> {
  const query = combinedQuery(statements);
  if (query) await sql.execute(query);
}

/** Writes the statements as the last one of the transaction, which shares its round trip with the commit. */
export function writeLast(tx: Tx, statements: (Statement | undefined)[]): void {
  const query = combinedQuery(statements);
  if (query) tx.last(query);
}

/**
 * Like `writeLast`, but writes only if the condition holds; the transaction is committed either way. Returns whether it held, which
 * is known with the answer to the commit. Every statement must have the `WRITE_CONDITION`.
 */
export async function writeLastIf(
  tx: Tx,
  condition: Condition,
  statements: (Statement | undefined)[],
): Promise<boolean> {
  const [row] = await tx.lastQuery<{ holds: boolean }>(writeIf(condition, statements));
  return row?.holds === true;
}

/** One statement that writes if the condition holds; its row says whether it does. */
export function writeIf(condition: Condition, statements: (Statement | undefined)[]): Query {
  const query = combinedQuery(statements, condition);
  if (!query) throw new Error('there is nothing to write');
  return query;
}

function combinedQuery(
  optionalStatements: (Statement | undefined)[],
  condition?: Condition,
): Query | undefined {
  const statements = optionalStatements.filter((statement) => statement !== undefined);
  if (statements.length === 0) return undefined;
  const all = condition ? [condition, ...statements] : statements;
  const key = all.map((statement) => statement.name).join(' ');
  let query = COMBINED.get(key);
  if (!query)
    COMBINED.set(key, (query = { name: `write_${COMBINED.size}`, text: combine(statements, condition) }));
  return { ...query, values: all.flatMap((statement) => statement.values) };
}

function combine(statements: readonly Statement[], condition?: Condition): string {
  if (!condition) return `with ${renumber(statements).map(asPart).join(',\n')}\nselect 1`;
  const conditional = statements.map((statement) => ({ ...statement, text: conditionalText(statement) }));
  const [asked, ...parts] = renumber([condition, ...conditional]);
  return `with condition as materialized (${asked}),\n${parts.map(asPart).join(',\n')}\nselect holds from condition`;
}

function conditionalText({ name, text }: Statement): string {
  if (!text.includes(WRITE_CONDITION))
    throw new Error(`the statement ${name} lacks WRITE_CONDITION in its where`);
  return text.replaceAll(WRITE_CONDITION, '(select holds from condition)');
}

function asPart(text: string, index: number): string {
  return `part_${index} as (${text})`;
}

/** The texts, with parameters renumbered so that the statements share one list of values. */
function renumber(statements: readonly Statement[]): string[] {
  let offset = 0;
  return statements.map(({ text, values }) => {
    const shifted = text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`);
    offset += values.length;
    return shifted;
  });
}

/** The values of one property of all rows, as an array parameter for `unnest`. */
export function column<T, K extends keyof T>(rows: readonly T[], key: K): T[K][] {
  return rows.map((row) => row[key]);
}
