import { parse } from 'libpg-query';

/** Aggregates that the services use: columns within them need not be grouped. */
const AGGREGATES = new Set([
  ...['array_agg', 'avg', 'bool_and', 'bool_or', 'count', 'every', 'json_agg', 'jsonb_agg', 'max', 'min'],
  ...['range_agg', 'string_agg', 'sum', 'bit_or', 'json_object_agg', 'jsonb_object_agg'],
]);

/** Names what a statement uses that a table has and a view has not. */
export async function faultsBehindViews(text: string): Promise<string[]> {
  const { stmts = [] } = await parse(text);
  const faults = new Set<string>();
  for (const [key, node] of walk(stmts)) {
    if (key === 'infer' && hasText(node, 'conname')) faults.add('names a constraint in "on conflict"');
    if (key === 'ColumnRef' && pathOf(node).endsWith('tableoid')) faults.add('uses tableoid');
    if (key === 'SelectStmt' && listOf(node, 'groupClause').length > 0 && selectsUngrouped(node))
      faults.add('selects a column that is grouped only by the key of its table');
  }
  return [...faults];
}

function selectsUngrouped(select: unknown): boolean {
  const grouped = new Set(
    [...walk(listOf(select, 'groupClause'))].flatMap(([key, node]) =>
      key === 'ColumnRef' ? [pathOf(node)] : [],
    ),
  );
  const names = new Set([...grouped].map((path) => path.split('.').at(-1)));
  const isGrouped = (path: string) =>
    grouped.has(path) || names.has(path) || grouped.has(path.split('.').at(-1) ?? '');
  const found = [...walk(listOf(select, 'targetList'), isAggregate)];
  return found.some(([key, node]) => key === 'ColumnRef' && !isGrouped(pathOf(node)));
}

function isAggregate(key: string, node: unknown): boolean {
  if (key === 'SubLink') return true;
  const name = listOf(node, 'funcname').at(-1) as { String?: { sval?: string } } | undefined;
  return key === 'FuncCall' && AGGREGATES.has(name?.String?.sval ?? '');
}

/** The name of a column as it is written, such as `p.user_id`. */
function pathOf(node: unknown): string {
  const fields = listOf(node, 'fields') as { String?: { sval?: string } }[];
  return fields.map(({ String: name }) => name?.sval ?? '*').join('.');
}

/** All nodes below one, but for those that `isLeftOut` leaves out with what is below them. */
function* walk(
  node: unknown,
  isLeftOut: (key: string, node: unknown) => boolean = () => false,
): Generator<[string, unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (isLeftOut(key, child)) continue;
    yield [key, child];
    yield* walk(child, isLeftOut);
  }
}

function listOf(node: unknown, field: string): unknown[] {
  const found = (node as Record<string, unknown> | null)?.[field];
  return Array.isArray(found) ? found : [];
}

function hasText(node: unknown, field: string): boolean {
  return typeof (node as Record<string, unknown> | null)?.[field] === 'string';
}
