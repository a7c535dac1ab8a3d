import type { Query, Sql } from '../postgres/index.ts';

type Node = { 'Actual Rows': number; 'Actual Loops': number; Plans?: Node[] } & Partial<
  Record<'Rows Removed by Filter' | 'Rows Removed by Join Filter' | 'Rows Removed by Index Recheck', number>
>;

export type RowsRead = {
  sql: Sql;
  /** All rows that the nodes of the plans passed on or threw away so far. */
  readonly rows: number;
  /** The most of one statement. */
  readonly most: number;
};

/** Statements run as before; their plans are executed once more before that, so they must change nothing that a repetition would notice. */
export function countRowsRead(sql: Sql): RowsRead {
  const counts = { rows: 0, most: 0 };
  async function explain({ text, values = [] }: Query): Promise<void> {
    const [row] = await sql.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    });
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('a statement has no plan');
    const read = rowsOf(plan);
    counts.rows += read;
    counts.most = Math.max(counts.most, read);
  }
  return {
    sql: {
      async query<Row>(query: Query): Promise<Row[]> {
        await explain(query);
        return sql.query<Row>(query);
      },
      async execute(query: Query): Promise<number> {
        await explain(query);
        return sql.execute(query);
      },
    },
    get rows() {
      return counts.rows;
    },
    get most() {
      return counts.most;
    },
  };
}

function rowsOf(node: Node): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}
