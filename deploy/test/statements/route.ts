import { fingerprint, parse } from 'libpg-query';
import { bindingOf, isBound } from './binding.ts';
import type { Catalog } from './scope.ts';
import { readStatement } from './statement.ts';

/**
 * Which applications a statement names. `one`: each table of applications is restricted to the same one. `given`: to those of arrays that the
 * caller gives, which may be several. `all`: some table of applications is not restricted. `none`: it uses no table of applications.
 */
export type Route = 'one' | 'given' | 'all' | 'none';

export type Database = {
  catalog: Catalog;
  /** Names of tables of applications. */
  appTables: ReadonlySet<string>;
};

/** Fails for a statement that is not understood. */
export async function routeOf(text: string, { catalog, appTables }: Database): Promise<Route> {
  const { stmts = [] } = await parse(text);
  const touched = stmts.flatMap((statement) => readStatement(statement, catalog));
  const bindings = touched
    .filter(({ table }) => appTables.has(table))
    .map(({ appId }) => (appId ? bindingOf(appId) : { values: new Set<string>(), isGiven: false }));
  const [first, ...others] = bindings;
  if (!first) return 'none';
  if (!bindings.every(isBound)) return 'all';
  const isOne = [...first.values].some((value) => others.every(({ values }) => values.has(value)));
  return isOne ? 'one' : 'given';
}

/** A key that statements share which differ in constants and layout alone. */
export function fingerprintOf(text: string): Promise<string> {
  return fingerprint(text);
}
