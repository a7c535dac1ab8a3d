import { createTestDatabase } from '@parley/stack/testing';
import fc from 'fast-check';
import { createLogger } from '../telemetry/log.ts';
import { createDatabase, type Database, type Tx } from '../postgres.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let db: Database;

beforeAll(async () => {
  db = createDatabase({ url: await createTestDatabase(), poolSize: 1, log, applicationName: 'groups' });
  await db.execute({ text: 'create table item (id integer primary key)' });
});
beforeEach(() => db.execute({ text: 'truncate item' }));
afterAll(() => db.close());

const insert = (id: unknown) => ({
  name: 'insert_item',
  text: 'insert into item (id) values ($1)',
  values: [id],
});
const listFrom = { text: 'select id from item where id >= $1 order by id' };
const ids = async (): Promise<number[]> =>
  (await db.query<{ id: number }>({ ...listFrom, values: [0] })).map(({ id }) => id);

/** What became of each: the rows affected, or the state that Postgres reports. */
async function outcomes(statements: Promise<number>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(statements);
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as { sqlState: string }).sqlState,
  );
}

test('statements of one turn see what those before them did, and each has its own answer', async () => {
  const answers = await db.tx((tx) =>
    Promise.all([
      tx.execute(insert(1)),
      tx.query({ ...listFrom, values: [0] }),
      tx.execute(insert(2)),
      tx.query({ ...listFrom, values: [0] }),
    ]),
  );
  expect(answers).toEqual([1, [{ id: 1 }], 1, [{ id: 1 }, { id: 2 }]]);
});

test('a statement that fails takes those behind it along, and a statement that was skipped is prepared later', async () => {
  const list = { ...listFrom, name: 'list_from', values: [0] };
  const failing = db.tx(async (tx: Tx) => {
    expect(await outcomes([tx.execute(insert(1)), tx.execute(insert(1)), tx.execute(list)])).toEqual([
      1,
      '23505',
      '23505',
    ]);
    throw new Error('given up');
  });
  await expect(failing).rejects.toThrow('given up');
  await db.execute(insert(3));
  expect(await db.tx((tx) => tx.query(list))).toEqual([{ id: 3 }]);
});

test('a value that cannot be sent ends the transaction, and the commit sent with it has no effect', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const failing = db.tx(async (tx) => {
    await tx.execute(insert(1));
    tx.last(insert(circular));
  });
  await expect(failing).rejects.toThrow();
  expect(await ids()).toEqual([]);
});

test('a transaction that gives up in the turn of its first statement leaves nothing open', async () => {
  const failing = db.tx((tx) => {
    void tx.execute(insert(1)).catch(() => undefined);
    return Promise.reject(new Error('given up'));
  });
  await expect(failing).rejects.toThrow('given up');
  const open = await db.query({ text: 'select now() < statement_timestamp() as is_open' });
  expect(open).toEqual([{ is_open: false }]);
  expect(await ids()).toEqual([]);
});

test('any statements in any turns leave what they would leave one after the other', async () => {
  const turns = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(turns, async (all) => {
      await db.execute({ text: 'truncate item' });
      const flat = all.flat();
      const firstRepeated = flat.findIndex((id, index) => flat.indexOf(id) < index);
      const attempt = db.tx(async (tx) => {
        for (const turn of all) await Promise.all(turn.map((id) => tx.execute(insert(id))));
      });
      if (firstRepeated < 0) await attempt;
      else await expect(attempt).rejects.toMatchObject({ sqlState: '23505' });
      expect(await ids()).toEqual(firstRepeated < 0 ? flat.toSorted((a, b) => a - b) : []);
    }),
    { numRuns: 60 },
  );
});
