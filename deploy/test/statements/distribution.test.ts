import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate } from '@parley/kit/postgres/migrate';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createTestDatabase } from '@parley/stack/testing';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { REPOSITORY } from '../render.ts';
import { placementsOf, readDistributions, type Distribution, type Placement } from './distribution.ts';
import { listTriggers, readAppIdTypes, readCatalog, readForeignKeys, readUniqueKeys } from './schema.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const services = readdirSync(path.join(REPOSITORY, 'services'));
const distributions = await readDistributions();

test('the file has a section for each service with a database', () => {
  expect([...distributions.keys()].sort()).toEqual(services.map((name) => `parley_${name}`).sort());
});

describe.each(services)('the tables of %s', (service) => {
  const distribution: Distribution = distributions.get(`parley_${service}`) ?? { named: [], preparation: [] };
  const placements = placementsOf(distribution);
  const isA = (table: string, kind: Placement['kind']) => placements.get(table)?.kind === kind;
  let client: pg.Client;

  // The schema as it is when the file has changed it.
  beforeAll(async () => {
    const url = await createTestDatabase();
    const dir = pathToFileURL(`${path.join(REPOSITORY, 'services', service, 'migrations')}/`);
    await migrate({ url, dir, log });
    client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of distribution.preparation) await client.query(statement);
  });
  afterAll(() => client.end());

  test('are in the file once each, and no others', async () => {
    const tables = [...(await readCatalog(client)).keys()];
    expect(distribution.named.map(({ table }) => table).sort()).toEqual(tables.sort());
  });

  test('have app_id in each unique key when they are distributed', async () => {
    const appIds = await readAppIdTypes(client);
    const faults = [...placements]
      .filter(([table, { kind }]) => kind === 'distributed' && appIds.get(table) !== 'uuid')
      .map(([table]) => `${table} has no app_id`);
    for (const { table, index, columns } of await readUniqueKeys(client)) {
      if (isA(table, 'distributed') && !columns.includes('app_id')) faults.push(`${index} lacks app_id`);
    }
    expect(faults).toEqual([]);
  });

  test('are distributed by app_id, all beside the first', () => {
    const distributed = distribution.named.flatMap(({ table, placement }) =>
      placement.kind === 'distributed' ? [{ table, ...placement }] : [],
    );
    const [first, ...others] = distributed;
    expect(first).toMatchObject({ key: 'app_id', beside: 'none' });
    for (const one of others) expect(one).toMatchObject({ key: 'app_id', beside: first?.table });
  });

  test('refer by foreign keys only to rows that Citus has on the same node', async () => {
    const faults = (await readForeignKeys(client)).filter(({ from, to, columns, referenced }) => {
      if (isA(to, 'reference')) return false;
      if (isA(from, 'distributed') && isA(to, 'distributed')) {
        return referenced[columns.indexOf('app_id')] !== 'app_id';
      }
      return !(isA(from, 'local') && isA(to, 'local'));
    });
    expect(faults).toEqual([]);
  });

  test('have no triggers where Citus would not run them', async () => {
    const triggers = await listTriggers(client);
    expect(triggers.filter((table) => !isA(table, 'local'))).toEqual([]);
  });
});
