import { fingerprint, parse } from 'libpg-query';
import { bindingOf, isBound } from './binding.ts';
import type { Placement } from './distribution.ts';
import type { Catalog } from './scope.ts';
import { readStatement } from './statement.ts';

/**
 * Where Citus would run a statement. `one shard`: each distributed table is restricted to the same application. `given`: to the
 * applications of arrays that the caller gives, which may be several. `all shards`: some distributed table is not restricted. `apart`:
 * it uses tables of the coordinator together with distributed ones, which comes before the other answers. `coordinator`: it uses no
 * distributed table.
 */
export type Route = 'one shard' | 'given' | 'all shards' | 'apart' | 'coordinator';

export type Database = {
  catalog: Catalog;
  placements: ReadonlyMap<string, Placement>;
};

/** Fails for a statement that is not understood. */
export async function routeOf(text: string, { catalog, placements }: Database): Promise<Route> {
  const { stmts = [] } = await parse(text);
  const touched = stmts.flatMap((statement) => readStatement(statement, catalog));
  const kinds = new Set(touched.map(({ table }) => placements.get(table)?.kind ?? 'local'));
  const bindings = touched
    .filter(({ table }) => placements.get(table)?.kind === 'distributed')
    .map(({ appId }) => (appId ? bindingOf(appId) : { values: new Set<string>(), isGiven: false }));
  const [first, ...others] = bindings;
  if (!first) return 'coordinator';
  if (!bindings.every(isBound)) return 'all shards';
  if (kinds.has('local')) return 'apart';
  const isOne = [...first.values].some((value) => others.every(({ values }) => values.has(value)));
  return isOne ? 'one shard' : 'given';
}

/** The same for statements that differ in constants and layout alone. */
export function fingerprintOf(text: string): Promise<string> {
  return fingerprint(text);
}
