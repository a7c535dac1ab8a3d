import { Code } from '@connectrpc/connect';
import { createTestDatabase, until } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase, type Database } from './index.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let url: string;
let db: Database;
const open = (options: { url?: string; runTransactionsTwice?: boolean } = {}): Database =>
  createDatabase({ url, poolSize: 4, log, applicationName: 'kit-test', ...options });

beforeAll(async () => {
  url = await createTestDatabase();
  db = open();
  await db.execute({ text: 'create table item (id integer primary key, n integer not null default 0)' });
});
beforeEach(() => db.execute({ text: 'truncate item' }));
afterAll(() => db.close());

const insert = (id: number) => ({
  name: 'insert_item',
  text: 'insert into item (id) values ($1)',
  values: [id],
});
const ids = async (): Promise<number[]> =>
  (await db.query<{ id: number }>({ text: 'select id from item order by id' })).map(({ id }) => id);

describe('values', () => {
  test('come back as numbers, buffers and objects, in arrays too', async () => {
    const at = Date.UTC(2024, 1, 29, 12, 30, 15, 123);
    const text = `select 9007199254740991::int8 as big, count(*) as count, 2.5::numeric as numeric,
      to_timestamp($1 / 1000.0) as at, array[to_timestamp($1 / 1000.0), null] as ats, '{3,4}'::int8[] as bigs,
      $2::bytea as bytes, $3::bytea[] as byte_arrays, '{"a":[1]}'::jsonb as json, '2024-02-29 12:00:00.5+00'::timestamptz as half,
      'infinity'::timestamptz as never`;
    const values = [at, Buffer.from([1, 2]), [new Uint8Array([3]), Buffer.from([4])]];
    expect(await db.query({ text, values })).toEqual([
      {
        big: Number.MAX_SAFE_INTEGER,
        count: 1,
        numeric: 2.5,
        at,
        ats: [at, null],
        bigs: [3, 4],
        bytes: Buffer.from([1, 2]),
        byte_arrays: [Buffer.from([3]), Buffer.from([4])],
        json: { a: [1] },
        half: Date.UTC(2024, 1, 29, 12, 0, 0, 500),
        never: Infinity,
      },
    ]);
  });
});

describe('statements outside a transaction', () => {
  // The statement locks row 2 and waits for row 1; its own deadlock timeout fires first. On a machine that was busy for that long the other
  // transaction is rolled back instead, and runs once more.
  test('are repeated when the server rolls them back for the sake of a transaction', async () => {
    await db.execute({ text: 'insert into item select generate_series(1, 2)' });
    const text = `insert into item as i select unnest(array[2, 1]) on conflict (id) do update set n = i.n + 1`;
    const update = (id: number) => ({ text: 'update item set n = n + 10 where id = $1', values: [id] });
    let statement: Promise<number> | undefined;
    let hasEnded = false;
    await db.tx(async (tx) => {
      await tx.execute({ text: `set local deadlock_timeout = '3s'` });
      await tx.execute(update(1));
      statement ??= db.execute({ text }).finally(() => (hasEnded = true));
      await until(async () => hasEnded || waits(), { withinMs: 5000, what: 'the statement waits' });
      await tx.execute(update(2));
    });
    expect(await statement).toBe(2);
    expect(await db.query({ text: 'select n from item' })).toEqual([{ n: 11 }, { n: 11 }]);
  });

  const waits = async (): Promise<true | undefined> =>
    (await db.execute({ text: 'select from pg_locks where not granted' })) > 0 || undefined;
});

describe('transactions', () => {
  test('commit all or nothing, and call their hooks only after the commit', async () => {
    const seen: string[] = [];
    await db.tx(async (tx) => {
      await tx.execute(insert(1));
      tx.afterCommit(() => seen.push('committed'), 'found');
      expect(seen).toEqual([]);
    });
    const failing = db.tx(async (tx) => {
      await tx.execute(insert(2));
      tx.afterCommit(() => seen.push('rolled back'), 'found');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(seen).toEqual(['committed']);
    expect(await ids()).toEqual([1]);
  });

  test('whose commit fails call no hook', async () => {
    await db.execute({ text: 'create table late (id integer unique deferrable initially deferred)' });
    const hooks: string[] = [];
    const commit = db.tx(async (tx) => {
      tx.afterCommit(() => hooks.push('called'), 'found');
      await tx.execute({ text: 'insert into late values (1), (1)' });
    });
    await expect(commit).rejects.toMatchObject({ code: Code.AlreadyExists, constraint: 'late_id_key' });
    expect(hooks).toEqual([]);
  });

  test('that swallowed a failure are not reported as committed', async () => {
    const swallowing = db.tx(async (tx) => {
      await tx.execute(insert(1));
      await tx.execute(insert(1)).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ code: Code.Internal });
    expect(await ids()).toEqual([]);
  });

  test('send the last statement with the commit, and fail with it', async () => {
    const hooks: string[] = [];
    await db.tx(async (tx) => {
      await tx.execute(insert(1));
      tx.afterCommit(() => hooks.push('first'), 'found');
      tx.last(insert(2));
    });
    const failing = db.tx(async (tx) => {
      await tx.execute(insert(3));
      tx.afterCommit(() => hooks.push('second'), 'found');
      tx.last(insert(1));
    });
    await expect(failing).rejects.toMatchObject({ sqlState: '23505', constraint: 'item_pkey' });
    expect(await ids()).toEqual([1, 2]);
    expect(hooks).toEqual(['first']);
  });

  test('go on after a savepoint that failed, without its work and its hooks', async () => {
    const hooks: string[] = [];
    await db.tx(async (tx) => {
      await tx.execute(insert(1));
      const point = tx.savepoint(async () => {
        await tx.execute(insert(2));
        tx.afterCommit(() => hooks.push('undone'), 'found');
        await tx.execute(insert(1));
      });
      await expect(point).rejects.toMatchObject({ sqlState: '23505', constraint: 'item_pkey' });
      await tx.savepoint(() => tx.execute(insert(3)));
      tx.afterCommit(() => hooks.push('kept'), 'found');
    });
    expect(await ids()).toEqual([1, 3]);
    expect(hooks).toEqual(['kept']);
  });

  test('retry a deadlock', async () => {
    await db.execute({ text: 'insert into item select generate_series(1, 2)' });
    let tries = 0;
    const meet = barrier(2);
    const lock = (first: number, second: number) =>
      db.tx(async (tx) => {
        tries++;
        const update = (id: number) =>
          tx.execute({ text: 'update item set n = n + 1 where id = $1', values: [id] });
        await update(first);
        await meet();
        await update(second);
      });
    await Promise.all([lock(1, 2), lock(2, 1)]);
    expect(tries).toBe(3);
    expect(await db.query({ text: 'select n from item' })).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test('that run twice for a test leave the effects of the second run alone', async () => {
    const twice = open({ runTransactionsTwice: true });
    const seen: string[] = [];
    let runs = 0;
    const result = await twice.tx(async (tx) => {
      const run = ++runs;
      await tx.execute(insert(run));
      tx.afterCommit(() => seen.push(`hook of ${run}`), 'found');
      tx.last(insert(10 + run));
      return run;
    });
    await expect(twice.tx(() => Promise.reject(new Error('of its own')))).rejects.toThrow('of its own');
    await twice.close();
    expect([result, runs, seen]).toEqual([2, 2, ['hook of 2']]);
    expect(await ids()).toEqual([2, 12]);
  });

  test('retry a serialization failure, and give up with Aborted', async () => {
    await db.execute(insert(1));
    let tries = 0;
    const count = (disturb: (time: number) => boolean) => async () => {
      tries = 0;
      return db.tx(
        async (tx) => {
          await tx.query({ text: 'select n from item' });
          if (disturb(++tries)) await db.execute({ text: 'update item set n = n + 1' });
          await tx.execute({ text: 'update item set n = n + 10' });
        },
        { isolation: 'repeatable read' },
      );
    };
    await count((time) => time < 3)();
    expect(tries).toBe(3);
    expect(await db.query({ text: 'select n from item' })).toEqual([{ n: 12 }]);
    await expect(count(() => true)()).rejects.toMatchObject({ code: Code.Aborted, sqlState: '40001' });
    expect(tries).toBe(3);
  });

  test('that last too long are cancelled', async () => {
    const slow = db.tx((tx) => tx.query({ text: 'select pg_sleep(60)' }), { timeoutMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    const idle = db.tx(
      async (tx) => {
        await tx.execute(insert(1));
        await until(async () => ((await countActive('idle in transaction')) === 0 ? true : undefined), {
          withinMs: 9000,
          what: 'the connection is given up',
        });
      },
      { timeoutMs: 100 },
    );
    await expect(idle).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    expect(await ids()).toEqual([]);
  });

  test('cannot be used when they are over', async () => {
    const leaked = await db.tx(async (tx) => tx);
    await expect(leaked.execute(insert(1))).rejects.toMatchObject({ code: Code.Internal });
    expect(await ids()).toEqual([]);
  });

  test('cost begin and commit besides their statements, and nothing when they have none', async () => {
    const before = db.statements;
    await db.tx((tx) => tx.execute(insert(1)));
    expect(db.statements - before).toBe(3);
    await db.tx(async () => undefined);
    expect(db.statements - before).toBe(3);
  });
});

test('bad text is InvalidArgument', async () => {
  await expect(db.query({ text: 'select $1::text', values: ['a\0b'] })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

async function countActive(state: string, like = '%'): Promise<number> {
  const text = `select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = $1 and query like $2`;
  const [row] = await db.query<{ count: number }>({ text, values: [state, like] });
  return row?.count ?? 0;
}

// Lets the first `count` callers pass once all of them have arrived, and later callers at once.
function barrier(count: number): () => Promise<void> {
  let waiting = count;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (--waiting === 0) open();
    return opened;
  };
}
