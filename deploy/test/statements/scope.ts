import type { Node } from '@pgsql/types';
import { term, type Range, type Term } from './binding.ts';

/** The columns of a result in their order; one without a name has ''. */
export type Result = { name: string; term: Term }[];

/** The clauses in which a name is looked up: the `from` clause of one query, then those of the queries around it. */
export type Scope = {
  ranges: Range[];
  queries: Map<string, Result>;
  outer?: Scope;
};

/** Columns of each table of the database, in their order, by the table's name. */
export type Catalog = ReadonlyMap<string, readonly string[]>;

/** A table that a statement names, and its column `app_id`, if it has one. */
export type Touched = { table: string; appId: Term | undefined };

/** State of reading a statement; `touched` grows. */
export type Reading = { catalog: Catalog; touched: Touched[] };

export function innerScope(outer?: Scope): Scope {
  return { ranges: [], queries: new Map(), ...(outer && { outer }) };
}

export function findQuery(scope: Scope | undefined, name: string): Result | undefined {
  return scope && (scope.queries.get(name) ?? findQuery(scope.outer, name));
}

/** The term of a column; undefined when no range has it, as for columns of tables that the catalog lacks. */
export function findColumn(scope: Scope | undefined, path: readonly string[]): Term | undefined {
  if (!scope) return undefined;
  const column = path.at(-1)!;
  const range = path.length > 1 ? path.at(-2) : undefined;
  for (const one of scope.ranges) {
    if (range !== undefined && one.name !== range) continue;
    const found = one.columns.get(column);
    if (found || range !== undefined) return found;
  }
  return findColumn(scope.outer, path);
}

/**
 * A range of its own for a result, whose columns equal those of the result. `isPlain`: a condition on the range is one on the rows
 * that the result comes from.
 */
export function rangeOf(name: string, result: Result, names: readonly string[] = [], isPlain = false): Range {
  const range: Range = { name, columns: new Map() };
  for (const [index, column] of result.entries()) {
    const own = term(range);
    own.equals.add(column.term);
    if (isPlain) column.term.equals.add(own);
    range.columns.set(names[index] ?? column.name, own);
  }
  return range;
}

export function tableRange(reading: Reading, table: string, name: string): Range {
  const range: Range = { name, columns: new Map(), table };
  for (const column of reading.catalog.get(table) ?? []) range.columns.set(column, term(range));
  reading.touched.push({ table, appId: range.columns.get('app_id') });
  return range;
}

/** `a.b` as ['a', 'b']; a star is '*'. */
export function pathOf(fields: Node[] = []): string[] {
  return fields.map((field) => ('String' in field ? (field.String.sval ?? '') : '*'));
}

/** Texts of a list of names. */
export function namesOf(nodes: Node[] = []): string[] {
  return nodes.flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}
