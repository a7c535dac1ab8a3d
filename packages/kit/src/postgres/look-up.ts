/**
 * SQL for one row looked up by its whole key, for a join: `join ${lookUp(table, alias, key)} on …`. In a plain join the planner, which has
 * no statistics of a table that was empty at planning time, may read and compare all rows of the app. `offset 0` keeps the planner from
 * flattening the subquery into a join; with `limit 1` it might read more rows until it finds the first.
 * docs/decisions/database.md#look-ups-by-the-whole-key
 */
export function lookUp(table: string, alias: string, key: string): string {
  return `lateral (select * from ${table} ${alias} where ${key} offset 0) ${alias}`;
}
