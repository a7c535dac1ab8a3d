import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node } from '@pgsql/types';
import { parse } from 'libpg-query';
import { DEPLOY_FOLDER } from '../render.ts';

/** Where the rows of a table are: in shards by `key`, beside those of the table `beside`; on every node; on the coordinator. */
export type Placement =
  { kind: 'distributed'; key: string; beside: string } | { kind: 'reference' } | { kind: 'local' };

/** Of one database. `named`: each table in the order of the file, as often as it is there. */
export type Distribution = {
  named: { table: string; placement: Placement }[];
  /** Statements that change tables before they are distributed. */
  preparation: string[];
};

export const FILE = path.join(DEPLOY_FOLDER, 'citus', 'distribute.sql');

/** What `distribute.sql` says, by database. Fails for a statement that is neither a placement nor a change of a table. */
export async function readDistributions(): Promise<Map<string, Distribution>> {
  const [, ...sections] = readFileSync(FILE, 'utf8').split(/^\\connect /m);
  const entries = sections.map(async (section) => {
    const [database = ''] = section.split('\n', 1);
    return [database, await readSection(section.slice(database.length))] as const;
  });
  return new Map(await Promise.all(entries));
}

async function readSection(text: string): Promise<Distribution> {
  const local = [...text.matchAll(/^-- local: (.+)$/gm)].flatMap(([, names = '']) => names.split(', '));
  const distribution: Distribution = {
    named: local.map((table) => ({ table, placement: { kind: 'local' } })),
    preparation: [],
  };
  const bytes = Buffer.from(text);
  for (const { stmt, stmt_location: from = 0, stmt_len: length } of (await parse(text)).stmts ?? []) {
    if (!stmt) continue;
    if ('SelectStmt' in stmt) distribution.named.push(readPlacement(stmt));
    else distribution.preparation.push(bytes.subarray(from, length && from + length).toString());
  }
  return distribution;
}

function readPlacement(statement: Node): Distribution['named'][number] {
  const [target] = 'SelectStmt' in statement ? (statement.SelectStmt.targetList ?? []) : [];
  const call = target && 'ResTarget' in target ? target.ResTarget.val : undefined;
  if (!call || !('FuncCall' in call)) throw new Error(`no call: ${JSON.stringify(statement)}`);
  const [name] = (call.FuncCall.funcname ?? []).map(textOf);
  const [table = '', key = '', beside = ''] = (call.FuncCall.args ?? []).map(textOf);
  if (name === 'create_reference_table') return { table, placement: { kind: 'reference' } };
  if (name !== 'create_distributed_table') throw new Error(`${name} places no table`);
  return { table, placement: { kind: 'distributed', key, beside } };
}

function textOf(node: Node): string {
  if ('String' in node) return node.String.sval ?? '';
  if ('A_Const' in node) return node.A_Const.sval?.sval ?? '';
  if ('NamedArgExpr' in node && node.NamedArgExpr.name === 'colocate_with' && node.NamedArgExpr.arg) {
    return textOf(node.NamedArgExpr.arg);
  }
  throw new Error(`${JSON.stringify(node)} is no text`);
}

/** The placement of each table, by its name. */
export function placementsOf({ named }: Distribution): Map<string, Placement> {
  return new Map(named.map(({ table, placement }) => [table, placement]));
}
