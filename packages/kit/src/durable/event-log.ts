import type { Clock } from '../runtime/clock/index.ts';
import { every } from './work/every.ts';
import type { Database, Sql } from '../postgres/index.ts';
import { REACH_MS, startRepublishing, type RepublishOptions } from './lost-events/republish.ts';
import { NIL_UUID } from '../runtime/nil-uuid.ts';

/** Table, beside `filled_stream`, of a service that has no other log from which to refill a lost stream. */
export const EVENT_LOG_TABLE_SQL = `
create table event_log (
  id uuid primary key,
  at timestamptz not null,
  event bytea not null,
  app_id uuid
);
create index event_log_by_age on event_log (at, id);
create index event_log_by_app on event_log (app_id, id) where app_id is not null;
`;

export type LoggedEvent = {
  /** The id of the event, by which consumers recognise it. */
  id: string;
  /** Milliseconds since the epoch; fractions are dropped. */
  at: number;
  /** Encoded in a form that its service can read later. */
  event: Uint8Array;
  /** The application whose removal deletes it; undefined: it is kept, like the deletion itself, which some service may have missed. */
  appId?: string | undefined;
};

export type EventLogOptions = Omit<RepublishOptions, 'read'> & {
  /** Renders logged events as they would be published now. */
  render(events: Uint8Array[]): Promise<{ subject: string; payload: Uint8Array }[]>;
};

const PAGE = 500;
const SWEEP_EVERY_MS = 600_000;
const SWEPT_AT_ONCE = 5000;

/** Logs events; to be called in the transaction that publishes them. */
export async function logEvents(tx: Sql, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.execute({
    name: 'event_log_insert',
    text: `
      insert into event_log (id, at, event, app_id)
      select id, to_timestamp(at / 1000), event, app_id
      from unnest($1::uuid[], $2::float8[], $3::bytea[], $4::uuid[]) as row (id, at, event, app_id)`,
    values: [
      events.map(({ id }) => id),
      events.map(({ at }) => Math.floor(at)),
      events.map(({ event }) => event),
      events.map(({ appId }) => appId ?? null),
    ],
  });
}

/** Refills a stream that lost events from the event log, and deletes logged events that are older than the stream's retention. */
export function startEventLog({ render, ...options }: EventLogOptions): { stop(): Promise<void> } {
  const { db, log, clock } = options;
  async function* read(since: number) {
    for (let after: LoggedEvent | undefined = { id: NIL_UUID, at: since, event: new Uint8Array() }; after;) {
      const page: LoggedEvent[] = await listEventsAfter(db, after);
      if (page.length > 0) yield await render(page.map(({ event }) => event));
      // Events added meanwhile are published by their own transactions.
      after = page.length === PAGE ? page.at(-1) : undefined;
    }
  }

  const republishing = startRepublishing({ ...options, read });
  const sweep = every({
    db,
    log,
    clock,
    name: 'sweep-event-log',
    intervalMs: SWEEP_EVERY_MS,
    run: () => forgetEvents(db, clock),
  });
  return {
    async stop() {
      await republishing.stop();
      await sweep.stop();
    },
  };
}

/** Keeps events twice as long as the reach, since clocks of processes may differ and a refill takes time. */
async function forgetEvents(db: Database, clock: Clock): Promise<void> {
  while ((await deleteEventsBefore(db, clock.now() - 2 * REACH_MS)) === SWEPT_AT_ONCE);
}

function listEventsAfter(sql: Sql, { id, at }: LoggedEvent): Promise<LoggedEvent[]> {
  return sql.query<LoggedEvent>({
    text: `
      select id, at, event from event_log where (at, id) > (to_timestamp($1::float8 / 1000), $2)
      order by at, id limit ${PAGE}`,
    values: [at, id],
  });
}

function deleteEventsBefore(sql: Sql, time: number): Promise<number> {
  return sql.execute({
    text: `
      delete from event_log where ctid = any (array(
        select ctid from event_log where at < to_timestamp($1::float8 / 1000) limit ${SWEPT_AT_ONCE}))`,
    values: [time],
  });
}
