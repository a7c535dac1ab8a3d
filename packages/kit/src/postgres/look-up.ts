/**
 * SQL of one row that is looked up by its whole key, to be joined: `join ${lookUp(table, alias, key)} on …`. In a plain join
 * the planner, which knows nothing of a table that was empty when it planned, may as well read everything of the app and
 * compare. `offset 0` keeps the planner from turning it back into one; with `limit 1` it would not mind reading more
 * until it has the first.
 */
export function lookUp(table: string, alias: string, key: string): string {
  return `lateral (select * from ${table} ${alias} where ${key} offset 0) ${alias}`;
}
