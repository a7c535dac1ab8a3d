import { EnvError } from 'envalid';
import { accepting } from './env.ts';

/**
 * The cells of a service's database and their places. `one`: a single cell, in the schema `public` of the only server. `schemas`: each cell
 * is a schema of the only server. `citus`: each cell is a schema that Citus has placed on a node. docs/scaling.md#cells
 */
export type CellPlan = { readonly kind: 'one' | 'schemas' | 'citus'; readonly count: number };

export const MAX_CELLS = 64;
export const ONE_CELL = planOf('one', 1);

const ACCEPTED = `\`1\`, a number of schemas from 2 to ${MAX_CELLS}, or \`citus:\` and a number from 1 to ${MAX_CELLS}`;

/** Reads `1`, `4` or `citus:16`. */
export const cellPlan = accepting<CellPlan>(ACCEPTED, (input) => {
  const [, citus, digits = ''] = /^(citus:)?([1-9]\d?)$/.exec(input) ?? [];
  const count = Number(digits);
  if (count < 1 || count > MAX_CELLS) throw new EnvError(`not ${ACCEPTED}: "${input}"`);
  if (citus) return planOf('citus', count);
  return count === 1 ? ONE_CELL : planOf('schemas', count);
});

/** The plan with the text used in the environment. */
export function planOf(kind: CellPlan['kind'], count: number): CellPlan {
  const text = kind === 'citus' ? `citus:${count}` : String(count);
  return Object.defineProperty({ kind, count }, 'toString', { value: () => text });
}

/** The names of the cells and of their schemas: `p00`, `p01` …; empty for the kind `one`. */
export function cellNames({ kind, count }: CellPlan): string[] {
  if (kind === 'one') return [];
  return Array.from({ length: count }, (_, cell) => `p${String(cell).padStart(2, '0')}`);
}
