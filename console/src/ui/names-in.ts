/** The names of a table that has all names of a kind, and no others. */
export function namesIn<Name extends string>(table: Record<Name, unknown>): Name[] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names;
}
