import { parse } from 'libpg-query';

/**
 * Whether a statement that changes rows locks others in a subquery that Postgres may run again for each row. Such a subquery skips the
 * rows that the statement has changed already and locks further ones, so that more rows change than its `limit` says. A common
 * table expression that locks, and a subquery of `array (…)`, run once.
 */
export async function mayLockAgain(text: string): Promise<boolean> {
  const { stmts = [] } = await parse(text);
  return stmts.some((statement) => changesRows(statement) && locksAgain(statement));
}

function changesRows(node: unknown): boolean {
  return entriesOf(node).some(
    ([key, child]) =>
      key === 'UpdateStmt' || key === 'DeleteStmt' || key === 'InsertStmt' || changesRows(child),
  );
}

function locksAgain(node: unknown): boolean {
  return entriesOf(node).some(
    ([key, child]) => key === 'lockingClause' || (!runsOnce(key, child) && locksAgain(child)),
  );
}

function runsOnce(key: string, node: unknown): boolean {
  if (key === 'SubLink') return isField(node, 'subLinkType', (kind) => kind === 'ARRAY_SUBLINK');
  return key === 'CommonTableExpr' && isField(node, 'ctequery', (query) => !changesRows({ query }));
}

function isField(node: unknown, field: string, accept: (value: unknown) => boolean): boolean {
  return entriesOf(node).some(([name, value]) => name === field && accept(value));
}

function entriesOf(node: unknown): [string, unknown][] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : [];
}
