import type { Database } from '../postgres/index.ts';

/**
 * Latest index of the first lease of another application. A test and the tested service's job may lease at the same moment;
 * then one of them leases from the same application twice.
 */
const LATEST_TURN = 2;

type Lease = { app_id: string; key: string; transaction: string; backend: number; at: string };

/** Services of one test run share a NATS, so a queue may also hold items of applications of other tests. */
export type Leases = {
  /** Applications whose items were leased, in that order. */
  of(...appIds: string[]): Promise<string[]>;
  /** Fails, and shows the leases of both, unless at most `latest` leases of the busy application came before the first of the quiet one. */
  expectTurn(quiet: string, busy: string, latest?: number): Promise<void>;
};

/** Records from now on the leases of a work queue. */
export async function recordLeases(db: Database, table: string): Promise<Leases> {
  await db.execute({
    text: `create table ${table}_lease
      (number bigserial, app_id uuid, key text, transaction xid8, backend int, at timestamptz default clock_timestamp())`,
  });
  await db.execute({
    text: `create function record_${table}_lease() returns trigger language plpgsql as $$
      begin
        insert into ${table}_lease (app_id, key, transaction, backend)
        values (new.app_id, left(to_jsonb(new)::text, 300), pg_current_xact_id(), pg_backend_pid());
        return new;
      end $$`,
  });
  await db.execute({
    text: `create trigger record_lease after update of attempts on ${table} for each row
      when (new.attempts > old.attempts) execute function record_${table}_lease()`,
  });

  // In the order in which the items were locked: a later transaction may write its row first.
  const list = () =>
    db.query<Lease>({
      text: `select app_id, key, transaction::text, backend, at::text from ${table}_lease as lease order by lease.transaction, number`,
    });
  return {
    of: async (...appIds) => (await list()).map(({ app_id }) => app_id).filter((id) => appIds.includes(id)),
    async expectTurn(quiet, busy, latest = LATEST_TURN) {
      const leases = (await list()).filter(({ app_id }) => app_id === quiet || app_id === busy);
      const index = leases.findIndex(({ app_id }) => app_id === quiet);
      if (index >= 0 && index <= latest) return;
      const shown = leases.map(
        ({ key, transaction, backend, at }) => `${at} ${backend} ${transaction} ${key}`,
      );
      throw new Error(`the first lease of ${quiet} is number ${index} in:\n${shown.join('\n')}`);
    },
  };
}
