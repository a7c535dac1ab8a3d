import type { Node, RawStmt, SelectStmt, WithClause } from '@pgsql/types';
import { givenTerm, term, type Range } from './binding.ts';
import { noteCondition, termOf, type Subqueries } from './conditions.ts';
import {
  findQuery,
  innerScope,
  namesOf,
  pathOf,
  rangeOf,
  tableRange,
  type Catalog,
  type Reading,
  type Result,
  type Scope,
  type Touched,
} from './scope.ts';

/** The tables that a statement touches, each with what its `app_id` equals. */
export function readStatement(statement: RawStmt, catalog: Catalog): Touched[] {
  const reading: Reading = { catalog, touched: [] };
  if (statement.stmt) readQuery(statement.stmt, innerScope(), reading);
  return reading.touched;
}

function readQuery(node: Node, outer: Scope, reading: Reading): Result {
  const scope = innerScope(outer);
  if ('SelectStmt' in node) return readSelect(node.SelectStmt, scope, reading);
  if ('InsertStmt' in node) return readInsert(node.InsertStmt, scope, reading);
  if ('UpdateStmt' in node) {
    const { withClause, relation, fromClause, whereClause, targetList, returningClause } = node.UpdateStmt;
    const change = { withClause, relation, others: fromClause, whereClause, targetList, returningClause };
    return readChange(change, scope, reading);
  }
  if ('DeleteStmt' in node) {
    const { withClause, relation, usingClause, whereClause, returningClause } = node.DeleteStmt;
    return readChange(
      { withClause, relation, others: usingClause, whereClause, returningClause },
      scope,
      reading,
    );
  }
  throw new Error(`statements of the kind ${Object.keys(node).join()} are not understood`);
}

function readWith(clause: WithClause | undefined, scope: Scope, reading: Reading): void {
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node) || !node.CommonTableExpr.ctequery) continue;
    const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr;
    const names = namesOf(aliascolnames);
    const define = (result: Result): void => {
      scope.queries.set(
        ctename,
        result.map((column, index) => ({ ...column, name: names[index] ?? column.name })),
      );
    };
    const select = 'SelectStmt' in ctequery ? ctequery.SelectStmt : undefined;
    define(clause?.recursive && select?.larg && select.rarg
      ? readUnion(select.larg, select.rarg, { scope, reading, afterFirst: define })
      : readQuery(ctequery, scope, reading));
  }
}

type Union = { scope: Scope; reading: Reading; afterFirst?: (result: Result) => void };

/** The second branch of a recursive query sees what came before: by induction it has what holds for the first one. */
function readUnion(one: SelectStmt, other: SelectStmt, { scope, reading, afterFirst }: Union): Result {
  const left = readSelect(one, innerScope(scope), reading);
  afterFirst?.(left);
  const right = readSelect(other, innerScope(scope), reading);
  return left.map(({ name, term: first }, index) => ({
    name,
    term: { equals: new Set(), branches: [first, right[index]?.term ?? term()] },
  }));
}

function readSelect(select: SelectStmt, scope: Scope, reading: Reading): Result {
  readWith(select.withClause, scope, reading);
  if (select.larg && select.rarg) return readUnion(select.larg, select.rarg, { scope, reading });
  if (select.valuesLists) return readValues(select.valuesLists, scope, reading);
  const ranges = readFrom(select.fromClause, scope, reading);
  const { targetList, whereClause, havingClause, sortClause, groupClause } = select;
  const subqueries = readSubqueries(
    [targetList, whereClause, havingClause, sortClause, groupClause, select.limitCount, select.limitOffset],
    scope,
    reading,
  );
  noteCondition(whereClause, { scope, restricts: ranges, subqueries });
  return resultOf(targetList, scope, subqueries);
}

function readValues(rows: Node[], scope: Scope, reading: Reading): Result {
  const subqueries = readSubqueries(rows, scope, reading);
  const lists = rows.map((row) => ('List' in row ? (row.List.items ?? []) : []));
  return (lists[0] ?? []).map((_, index) => {
    const branches = lists.map((items) => termOf(items[index], { scope, subqueries }) ?? term());
    return { name: `column${index + 1}`, term: { equals: new Set(), branches } };
  });
}

type Insert = Extract<Node, { InsertStmt: unknown }>['InsertStmt'];

function readInsert(insert: Insert, scope: Scope, reading: Reading): Result {
  readWith(insert.withClause, scope, reading);
  const source = insert.selectStmt ? readQuery(insert.selectStmt, scope, reading) : [];
  const table = insert.relation?.relname ?? '';
  const target = tableRange(reading, table, insert.relation?.alias?.aliasname ?? table);
  const names = (insert.cols ?? []).map((node) => ('ResTarget' in node ? (node.ResTarget.name ?? '') : ''));
  const columns = names.length > 0 ? names : [...target.columns.keys()];
  for (const [index, { term: given }] of source.entries()) {
    target.columns.get(columns[index] ?? '')?.equals.add(given);
  }
  scope.ranges.push(target, { ...target, name: 'excluded' });
  const subqueries = readSubqueries([insert.onConflictClause, insert.returningClause], scope, reading);
  return resultOf(insert.returningClause?.exprs, scope, subqueries);
}

type Change = Pick<
  Extract<Node, { UpdateStmt: unknown }>['UpdateStmt'],
  'withClause' | 'relation' | 'whereClause' | 'targetList' | 'returningClause'
> & { others: Node[] | undefined };

function readChange(change: Change, scope: Scope, reading: Reading): Result {
  readWith(change.withClause, scope, reading);
  const table = change.relation?.relname ?? '';
  const target = tableRange(reading, table, change.relation?.alias?.aliasname ?? table);
  scope.ranges.push(target);
  const others = readFrom(change.others, scope, reading);
  const { whereClause, targetList, returningClause } = change;
  const subqueries = readSubqueries([whereClause, targetList, returningClause], scope, reading);
  noteCondition(whereClause, { scope, restricts: new Set([target, ...others]), subqueries });
  return resultOf(returningClause?.exprs, scope, subqueries);
}

/** Reads the `from` clause into the scope; gives its ranges. */
function readFrom(nodes: Node[] | undefined, scope: Scope, reading: Reading): Set<Range> {
  return new Set((nodes ?? []).flatMap((node) => [...readItem(node, scope, reading)]));
}

function readItem(node: Node, scope: Scope, reading: Reading): Set<Range> {
  if ('JoinExpr' in node) return readJoin(node.JoinExpr, scope, reading);
  const range = readRange(node, scope, reading);
  scope.ranges.push(range);
  return new Set([range]);
}

function readRange(node: Node, scope: Scope, reading: Reading): Range {
  if ('RangeVar' in node) {
    const { relname = '', alias } = node.RangeVar;
    const name = alias?.aliasname ?? relname;
    const query = findQuery(scope, relname);
    return query ? rangeOf(name, query, namesOf(alias?.colnames)) : tableRange(reading, relname, name);
  }
  if ('RangeSubselect' in node) {
    const { alias, subquery } = node.RangeSubselect;
    const result = subquery ? readQuery(subquery, scope, reading) : [];
    return rangeOf(alias?.aliasname ?? '', result, namesOf(alias?.colnames), subquery && isPlain(subquery));
  }
  if ('RangeFunction' in node) return readFunction(node.RangeFunction, scope, reading);
  throw new Error(`${Object.keys(node).join()} in a from clause is not understood`);
}

/** Whether a condition on the result of a subquery is one on its rows. */
function isPlain(query: Node): boolean {
  if (!('SelectStmt' in query)) return false;
  const { limitCount, limitOffset, groupClause, distinctClause, larg, windowClause } = query.SelectStmt;
  return !(limitCount ?? limitOffset ?? groupClause ?? distinctClause ?? larg ?? windowClause);
}

function readFunction(
  { functions = [], alias, coldeflist }: Extract<Node, { RangeFunction: unknown }>['RangeFunction'],
  scope: Scope,
  reading: Reading,
): Range {
  readSubqueries(functions, scope, reading);
  const range: Range = { name: alias?.aliasname ?? '', columns: new Map() };
  const definitions = (coldeflist ?? []).flatMap((one) =>
    'ColumnDef' in one ? [one.ColumnDef.colname ?? ''] : [],
  );
  const names = alias?.colnames ? namesOf(alias.colnames) : definitions;
  // A column of a table that such a function unfolds may hold anything.
  const isGiven = !JSON.stringify(functions).includes('"ColumnRef"');
  for (const name of names.length > 0 ? names : [range.name]) {
    range.columns.set(name, isGiven ? { ...givenTerm(), owner: range } : term(range));
  }
  return range;
}

function readJoin(
  { jointype, larg, rarg, quals, usingClause }: Extract<Node, { JoinExpr: unknown }>['JoinExpr'],
  scope: Scope,
  reading: Reading,
): Set<Range> {
  const left = larg ? readItem(larg, scope, reading) : new Set<Range>();
  const right = rarg ? readItem(rarg, scope, reading) : new Set<Range>();
  const both = new Set([...left, ...right]);
  // An outer join keeps rows of the outer side that do not meet the condition, so the condition restricts the other side alone.
  const restricts =
    jointype === 'JOIN_LEFT'
      ? right
      : jointype === 'JOIN_RIGHT'
        ? left
        : jointype === 'JOIN_FULL'
          ? new Set<Range>()
          : both;
  const subqueries = readSubqueries([quals], scope, reading);
  noteCondition(quals, { scope, restricts, subqueries });
  for (const name of namesOf(usingClause)) {
    const [one] = [...left].flatMap(({ columns }) => columns.get(name) ?? []);
    const [other] = [...right].flatMap(({ columns }) => columns.get(name) ?? []);
    if (one && other && restricts.has(other.owner!)) other.equals.add(one);
    if (one && other && restricts.has(one.owner!)) one.equals.add(other);
  }
  return both;
}

function resultOf(targets: Node[] | undefined, scope: Scope, subqueries: Subqueries): Result {
  return (targets ?? []).flatMap((target): Result => {
    if (!('ResTarget' in target)) return [];
    const { val } = target.ResTarget;
    const path = val && 'ColumnRef' in val ? pathOf(val.ColumnRef.fields) : [];
    if (path.at(-1) !== '*') {
      return [{ name: nameOfTarget(target), term: termOf(val, { scope, subqueries }) ?? term() }];
    }
    const ranges = scope.ranges.filter(({ name }) => path.length === 1 || name === path.at(-2));
    return ranges.flatMap(({ columns }) =>
      [...columns].map(([name, one]): Result[number] => ({ name, term: one })),
    );
  });
}

function nameOfTarget(target: Node): string {
  if (!('ResTarget' in target)) return '';
  const { name, val } = target.ResTarget;
  if (name !== undefined) return name;
  return val && 'ColumnRef' in val ? (pathOf(val.ColumnRef.fields).at(-1) ?? '') : '';
}

/** Reads the subqueries within expressions, and gives the result of each. */
function readSubqueries(nodes: unknown, scope: Scope, reading: Reading): Subqueries {
  const found: Subqueries = new Map();
  function search(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
      if (key !== 'SubLink') {
        search(child);
        continue;
      }
      const link = child as Extract<Node, { SubLink: unknown }>['SubLink'];
      search(link.testexpr);
      if (link.subselect) found.set(link, readQuery(link.subselect, scope, reading));
    }
  }
  search(nodes);
  return found;
}
