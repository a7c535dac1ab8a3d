import { backoffSql } from '../backoff-sql.ts';
import { backoff } from '../../flow/backoff.ts';
import type { Clock } from '../../runtime/clock/index.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { isOutage, type Database, type Sql, type Tx } from '../../postgres/index.ts';
import { NIL_UUID } from '../../runtime/nil-uuid.ts';

/** A row of a queue, leased to one worker. */
export type Leased = {
  app_id: string;
  /** Attempts since the last successful step, including this one. The number also distinguishes this lease from later ones. */
  attempts: number;
};

/**
 * A table of work. It has `app_id uuid`, `due_at timestamptz not null default '-infinity'` and
 * `attempts integer not null default 0`, an index on (app_id, due_at, …`order`), and one on (due_at).
 */
export type WorkQueueTable<Item extends Leased> = {
  table: string;
  /** The columns of the primary key. */
  key: readonly (keyof Item & string)[];
  /** Further columns that an item has. */
  columns: readonly (keyof Item & string)[];
  /** Columns that may change while an item is leased: a step gets the values at the moment when it locks the item. Default: none. */
  mutable?: readonly (keyof Item & string)[];
  /** Columns that order one application's items that are due at the same time. */
  order: readonly string[];
};

export type WorkQueue<Item extends Leased> = {
  /**
   * Leases the first due item of the next application after `after`, in the order of application ids. Undefined: no later application has a
   * due, unleased item.
   */
  lease(sql: Sql, turn: { after: string; now: number }): Promise<Item | undefined>;
  /**
   * Runs one step of a leased item in one transaction, which locks the item. The item is removed when `step`
   * returns true, and is due again at once otherwise. Nothing is done when another worker has leased the item since.
   * `held`: the item as it is when it is locked.
   */
  work(db: Database, item: Item, step: (tx: Tx, held: Item) => Promise<boolean>): Promise<void>;
  /** Ends a lease; the item becomes due again at `dueAt`. */
  postpone(sql: Sql, item: Item, dueAt: number): Promise<void>;
};

/** Durations of a lease, longer than any step. After that, the item of a killed process can be leased again. */
const LEASES = { firstMs: 10_000, longestMs: 600_000 };
const RETRIES = { firstMs: 1_000, longestMs: 600_000 };

/**
 * A queue that serves applications in turn. Leasing an item postpones it, so that an item whose step fails, times out or kills the process
 * does not stay at the front of the queue. Leasing skips from one application to the next in the index: it costs the same whether an
 * application has one item or a million. docs/decisions/fairness.md#work-queues-serve-applications-in-turn
 */
export function createWorkQueue<Item extends Leased>(options: WorkQueueTable<Item>): WorkQueue<Item> {
  const { table, key } = options;
  const statements = statementsOf(options);
  const keyOf = (item: Item): unknown[] => key.map((column) => item[column]);
  const execute = (sql: Sql, name: keyof typeof statements, values: unknown[]): Promise<number> =>
    sql.execute({ name: `${name}_${table}`, text: statements[name], values });

  return {
    async lease(sql, { after, now }) {
      const values = [after, now];
      const [item] = await sql.query<Item>({ name: `lease_${table}`, text: statements.lease, values });
      return item;
    },
    async work(db, item, step) {
      await db.tx(async (tx) => {
        const values = [...keyOf(item), item.attempts];
        const [held] = await tx.query<Partial<Item>>({
          name: `hold_${table}`,
          text: statements.hold,
          values,
        });
        if (!held) return;
        const isDone = await step(tx, { ...item, ...held });
        await execute(tx, isDone ? 'remove' : 'release', keyOf(item));
      });
    },
    async postpone(sql, item, dueAt) {
      await execute(sql, 'postpone', [...keyOf(item), item.attempts, dueAt]);
    },
  };
}

function statementsOf<Item extends Leased>(queue: WorkQueueTable<Item>) {
  const { table, key, columns, mutable = [], order } = queue;
  const matched = key.map((column, index) => `${column} = $${index + 1}`).join(' and ');
  const isHeld = `${matched} and attempts = $${key.length + 1}`;
  return {
    lease: `
      with recursive app as (
        (select app_id, due_at from ${table}
          where app_id > $1::uuid and exists (select from ${table} where due_at <= to_timestamp($2::float8 / 1000))
          order by app_id, due_at limit 1)
        union all
        select next.app_id, next.due_at from app cross join lateral (
          select t.app_id, t.due_at from ${table} t where t.app_id > app.app_id
          order by t.app_id, t.due_at limit 1) next
      ), chosen as (
        select item.* from app cross join lateral (
          select ${key.map((column) => `t.${column}`).join(', ')} from ${table} t
          where t.app_id = app.app_id and t.due_at <= to_timestamp($2::float8 / 1000)
          order by ${['app_id', 'due_at', ...order].map((column) => `t.${column}`).join(', ')} limit 1
          for no key update skip locked) item
        where app.due_at <= to_timestamp($2::float8 / 1000)
        limit 1
      )
      update ${table} t set attempts = t.attempts + 1,
        due_at = to_timestamp($2::float8 / 1000) + ${backoffSql('t.attempts + 1', LEASES)}
      from chosen where ${key.map((column) => `t.${column} = chosen.${column}`).join(' and ')}
      returning ${[...key, ...columns, 'attempts'].map((column) => `t.${column}`).join(', ')}`,
    hold: `select ${mutable.join(', ')} from ${table} where ${isHeld} for update`,
    release: `update ${table} set due_at = '-infinity', attempts = 0 where ${matched}`,
    remove: `delete from ${table} where ${matched}`,
    postpone: `
      update ${table} set due_at = to_timestamp($${key.length + 2}::float8 / 1000) where ${isHeld}`,
  };
}

export type RoundsOptions<Item extends Leased> = {
  queue: WorkQueue<Item>;
  db: Database;
  log: Logger;
  clock: Clock;
  /** Performs one bounded step of an item. When it throws, the item's wait grows with each failure. */
  step(item: Item): Promise<void>;
};

export type Rounds = {
  /**
   * Works until no item is due, or until `signal` aborts. `found` is called for each item before its step. Rejects when the database is
   * unreachable.
   */
  run(signal?: AbortSignal, found?: () => void): Promise<void>;
};

/**
 * Works through a queue, one step at a time, round-robin by application: between two steps of one application, every other application with
 * due work gets one. Each replica keeps its own position in the round.
 */
export function createRounds<Item extends Leased>(options: RoundsOptions<Item>): Rounds {
  const { queue, db, log, clock, step } = options;
  let after = NIL_UUID;

  async function next(): Promise<Item | undefined> {
    const item = await queue.lease(db, { after, now: clock.now() });
    return item ?? (after === NIL_UUID ? undefined : queue.lease(db, { after: NIL_UUID, now: clock.now() }));
  }

  async function fail(item: Item, error: unknown): Promise<void> {
    if (isOutage(error)) throw error;
    const delayMs = backoff(item.attempts, RETRIES);
    log.warn({ error, item: describe(item), delayMs }, 'background work failed; will retry');
    await queue.postpone(db, item, clock.now() + delayMs);
  }

  return {
    async run(signal, found) {
      while (!signal?.aborted) {
        const item = await next();
        after = item?.app_id ?? NIL_UUID;
        if (!item) return;
        found?.();
        await step(item).catch((error: unknown) => fail(item, error));
      }
    },
  };
}

/** Size of a step: halved with each failed attempt. */
export function stepSize(most: number, { attempts }: Leased): number {
  return Math.max(1, Math.floor(most / 2 ** (attempts - 1)));
}

// Only ids and numbers: other columns may hold users' texts.
function describe(item: Leased): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => /(^|_)(id|attempts|slice)$/.test(name)));
}
