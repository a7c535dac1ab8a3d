import type pg from 'pg';
import { toConnectError } from '../errors.ts';
import { listMarks } from '../migrate/cell-marks.ts';
import { MoveRefusal } from './refusal.ts';
import { listServers, nameOf, withClient, type Server, type Servers } from './servers.ts';

type Asked = { cell: string; target: string; url: string; urlOf: Servers['urlOf'] };

const GROUP_OF = `
  select p.groupid::int as "group" from pg_dist_shard s join pg_dist_placement p using (shardid)
  where s.logicalrelid = to_regclass($1)`;

const FITNESS = `
  select current_setting('wal_level') as "walLevel", has_database_privilege(current_database(), 'create') as "mayCreate",
    pg_is_in_recovery() as "isStandby", (select extversion from pg_extension where extname = 'citus') as version`;

type Fitness = { walLevel: string; mayCreate: boolean; isStandby: boolean; version: string | null };

/** The name of the node that has the cell now. `client`: connected to the coordinator. Fails with a MoveRefusal. */
export async function checkMove(client: pg.Client, { cell, target, url, urlOf }: Asked): Promise<string> {
  const servers = await listServers(client);
  const isCell = /^p\d\d$/.test(cell);
  const { rows } = isCell
    ? await client.query<{ group: number }>(GROUP_OF, [`${cell}.schema_migration`])
    : { rows: [] };
  const [placed] = rows;
  if (!placed) throw new MoveRefusal('unknown', `There is no cell ${cell}.`);
  if ((await listMarks(client)).get(cell) === 'making')
    throw new MoveRefusal(
      'impossible',
      `The tables of ${cell} are being made: "parley cells add" completes them.`,
    );
  const to = servers.find((one) => nameOf(one) === target);
  if (!to) throw new MoveRefusal('unknown', `There is no active node ${target}: ${namesOf(servers)}.`);
  const from = servers.find(({ group }) => group === placed.group);
  if (!from) throw new MoveRefusal('impossible', `The node that has ${cell} is not active.`);
  if (from === to) return target;
  if (!to.takesCells) throw new MoveRefusal('impossible', `${target} takes no cells: ${namesOf(servers)}.`);
  const here = await fitnessOf(url, 'the coordinator');
  requireFit(await fitnessOf(urlOf(from), nameOf(from)), nameOf(from), here);
  requireFit(await fitnessOf(urlOf(to), target), target, here);
  return nameOf(from);
}

function namesOf(servers: readonly Server[]): string {
  const names = servers.filter(({ takesCells }) => takesCells).map(nameOf);
  return names.length > 0 ? `cells may be on ${names.join(', ')}` : 'no node takes cells';
}

/** Checks the target with the address, user and password that processes use: a target they cannot reach would cut them off. */
async function fitnessOf(url: string, name: string): Promise<Fitness> {
  try {
    return await withClient(url, async (client) => (await client.query<Fitness>(FITNESS)).rows[0]!);
  } catch (error) {
    const { message } = toConnectError(error);
    throw new MoveRefusal(
      'impossible',
      `${name} cannot be reached by its address in the catalogs: ${message}`,
    );
  }
}

function requireFit({ walLevel, mayCreate, isStandby, version }: Fitness, name: string, here: Fitness): void {
  const fault =
    (isStandby && 'is a standby') ||
    (version === null && 'has no Citus in its database') ||
    (version !== here.version && `has Citus ${version}, and the coordinator ${here.version}`) ||
    (walLevel !== 'logical' && `has wal_level=${walLevel}, and a move takes logical`) ||
    (!mayCreate && 'does not let the role of the service create schemas');
  if (fault) throw new MoveRefusal('impossible', `${name} ${fault}.`);
}
