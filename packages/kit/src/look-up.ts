/**
 * SQL of one row that is looked up by its whole key, to be joined: `join ${lookUp(table, alias, key)} on …`. In a plain join
 * the planner, which knows nothing of a table that was empty when it planned, may as well read everything of the app and
 * compare.
 */
export function lookUp(table: string, alias: string, key: string): string {
  return `lateral (select * from ${table} ${alias} where ${key} limit 1) ${alias}`;
}
