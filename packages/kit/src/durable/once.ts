import type { Tx } from '../postgres/index.ts';
import { currentContext } from '../runtime/request-context.ts';

/** Table of every service that performs work once per operation. A row is kept as long as its operation can be repeated. */
export const PERFORMED_OPERATION_TABLE_SQL = `
create table performed_operation (
  id uuid not null,
  name text not null,
  result bytea,
  at timestamptz not null default clock_timestamp(),
  primary key (id, name)
);
create index performed_operation_by_age on performed_operation (at);
`;

export type Once<T> = {
  /** Distinguishes the effects of one operation within a database. */
  name: string;
  run: () => Promise<T>;
  save: (result: T) => Uint8Array;
  load: (saved: Uint8Array) => T;
};

const CLAIM_OPERATION = {
  name: 'performed_operation_claim',
  text: `insert into performed_operation (id, name) values ($1, $2) on conflict do nothing`,
};
const SAVE_RESULT = {
  name: 'performed_operation_keep',
  text: `update performed_operation set result = $3 where id = $1 and name = $2`,
};
const FIND_RESULT = {
  name: 'performed_operation_find',
  text: `select result from performed_operation where id = $1 and name = $2`,
};
const DELETE_OLDER_OPERATIONS = {
  name: 'performed_operation_forget',
  text: `
    delete from performed_operation where ctid = any (array(
      select ctid from performed_operation where at < to_timestamp($1::float8 / 1000) limit $2))`,
};

const CHUNK = 5000;

/**
 * Runs `run` once for the operation of the current request, and returns the saved result when the request is repeated. The record is
 * written in the transaction of the effect. A concurrent attempt waits for the first. Outside an operation, `run` is simply called.
 */
export async function performOnce<T>(tx: Tx, { name, run, save, load }: Once<T>): Promise<T> {
  const id = currentContext()?.operationId;
  if (id === undefined) return run();
  if ((await tx.execute({ ...CLAIM_OPERATION, values: [id, name] })) === 0) {
    const [row] = await tx.query<{ result: Uint8Array }>({ ...FIND_RESULT, values: [id, name] });
    if (!row) throw new Error('the saved result of the operation is missing');
    return load(row.result);
  }
  const result = await run();
  await tx.execute({ ...SAVE_RESULT, values: [id, name, save(result)] });
  return result;
}

/** Deletes records older than `before`; returns how many. */
export async function forgetPerformed(db: { execute: Tx['execute'] }, before: number): Promise<number> {
  for (let total = 0; ;) {
    const count = await db.execute({ ...DELETE_OLDER_OPERATIONS, values: [before, CHUNK] });
    total += count;
    if (count < CHUNK) return total;
  }
}
