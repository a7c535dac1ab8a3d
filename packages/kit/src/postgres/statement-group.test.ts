import { createTestDatabase } from '@parley/testing';
import fc from 'fast-check';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase, type Database, type Tx } from './index.ts';

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

/** The outcome of each statement: the number of affected rows, or the SQLSTATE. */
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

/** A transaction of inserts that is sent to the server in one piece. */
function insertInOnePiece(numbers: readonly number[]): Promise<void> {
  return db.tx((tx) => {
    for (const id of numbers) tx.last(insert(id));
    return Promise.resolve();
  });
}

/** Whether the connection is in a transaction. */
const isOpen = async (): Promise<boolean> => {
  const text = 'select now() < statement_timestamp() as is_open';
  const [row] = await db.query<{ is_open: boolean }>({ text });
  return row!.is_open;
};

test('a transaction that is given in one piece needs no begin and no commit, and is all or nothing', async () => {
  const before = db.statements;
  await insertInOnePiece([1, 2]);
  expect(db.statements - before).toBe(2);
  expect(await ids()).toEqual([1, 2]);
  await expect(insertInOnePiece([3, 1, 4])).rejects.toMatchObject({ sqlState: '23505' });
  expect(await isOpen()).toBe(false);
  expect(await ids()).toEqual([1, 2]);
});

test('such a transaction fails with what Postgres checks at the commit, and its statements did not', async () => {
  await db.execute({
    text: 'create table late (id integer, unique (id) deferrable initially deferred)',
  });
  const late = { text: 'insert into late (id) values (7)' };
  let first: Promise<number> | undefined;
  const failing = db.tx((tx) => {
    first = tx.execute(late);
    tx.last(late);
    return Promise.resolve();
  });
  await expect(failing).rejects.toMatchObject({ sqlState: '23505' });
  expect(await first).toBe(1);
  expect(await isOpen()).toBe(false);
  expect(await db.query({ text: 'select id from late' })).toEqual([]);
});

test('a transaction with options or savepoints is not given in one piece', async () => {
  const before = db.statements;
  await db.tx((tx) => Promise.resolve(tx.last(insert(1))), { isolation: 'repeatable read' });
  expect(db.statements - before).toBe(3);
  await db.tx(async (tx) => {
    void tx.savepoint(() => tx.execute(insert(2))).catch(() => undefined);
    await Promise.resolve();
  });
  expect(await isOpen()).toBe(false);
});

test('any transactions in one piece leave what they would leave one after the other', async () => {
  const transactions = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(transactions, async (all) => {
      await db.execute({ text: 'truncate item' });
      const stored = new Set<number>();
      for (const given of all) {
        const isValid = new Set(given).size === given.length && given.every((id) => !stored.has(id));
        if (isValid) await insertInOnePiece(given);
        else await expect(insertInOnePiece(given)).rejects.toMatchObject({ sqlState: '23505' });
        if (isValid) given.forEach((id) => stored.add(id));
      }
      expect(await ids()).toEqual([...stored].sort((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});
