import type pg from 'pg';
import type { DatabaseName } from './databases.ts';

type Values = Record<string, string>;

/** Values by type for columns that have no default and refuse null; `i` is the number of the row. */
const BY_TYPE: Values = {
  uuid: 'gen_random_uuid()',
  text: `'x' || i`,
  bytea: `sha256(i::text::bytea)`,
  smallint: '2',
  integer: '2',
  bigint: 'i',
  'double precision': '2',
  boolean: 'false',
  'timestamp with time zone': `now() - random() * interval '20 hours'`,
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
  'bigint[]': `'{}'`,
  'double precision[]': `'{}'`,
  int8multirange: `'{}'`,
  json: `'{}'`,
  jsonb: `'{}'`,
};

const LATER = `now() + interval '30 days'`;
const RECENT = `now() - random() * interval '20 hours'`;

/** Values of a row that is kept and needs no work, by table, or by database and table. */
const SETTLED: Record<string, Values> = {
  access_token: { expires_at: LATER },
  audit_entry: { action: `'session.ended'` },
  consumed_event: { at: RECENT },
  session: { expires_at: LATER },
  used_nonce: { expires_at: LATER },
  content: { status: '2', unreferenced_since: 'null', counted: 'false' },
  content_message: { confirmed: 'true' },
  content_usage: { bytes: '1' },
  journal_entry: { stored_at: RECENT },
  presence: { status: '1' },
  'webhook.delivery': { status: '2', settled_at: RECENT },
  'push.delivery': { status: '2', settled_at: RECENT, created_at: RECENT },
  export: { completed_at: RECENT, expired_at: LATER },
  export_schedule: { next_export_at: LATER, exported_until: '0' },
};

/** Tables that a fill leaves alone, with the reason: they do not grow with what has happened. */
const LEFT: Record<string, string> = {
  app: 'one row for each application',
  app_tombstone: 'one row for each deleted application',
  automation_token: 'few, made by operators',
  change: 'filled by COPY',
  change_horizon: 'one row',
  console_session: 'sessions of operators that are open',
  conversation: 'filled by COPY',
  conversation_count: 'folded into one row for each application',
  credentials: 'one row for each application and push service',
  dead_letter: 'what failed for good, of which an alert tells',
  database_epoch: 'one row',
  deleted_app: 'a queue',
  delivery_count: 'folded into a row for each webhook and status',
  event_interest: 'one row for each application',
  export_blob: 'one row for each export that is kept or runs',
  export_key: 'one row for each application',
  export_schedule: 'one row for each application',
  figure_process: 'one row for each process',
  filled_stream: 'one row for each stream',
  journal_head: 'one row for each application',
  live_publisher: 'one row for each process',
  message: 'filled by COPY',
  milestone: 'few: those of like age are merged',
  outbox: 'what is not published',
  outbox_dead_letter: 'what failed for good, of which an alert tells',
  participant: 'filled by COPY',
  presence_gateway: 'one row for each gateway',
  presence_hold: 'one row for each open socket',
  provider: 'one row for each identity provider of an application',
  provider_key: 'a few rows for each identity provider',
  published_mark: 'what no milestone is behind yet',
  push_settings: 'one row for each application',
  recent_event: 'events of ten minutes',
  removed_webhook: 'webhooks that were deleted within a day',
  revocation_horizon: 'one row',
  scheduled_message: 'what waits for its time',
  schema_migration: 'one row for each migration',
  sign_in_code: 'codes of a minute',
  signer: 'one row for each key of an application',
  vapid_key: 'one row for each application',
  webhook: 'a few rows for each application',
  worker: 'one row for each process',
};

type Column = { table: string; column: string; type: string; is_needed: boolean };

/**
 * Gives every table of a database that grows with what has happened, those of later migrations too, that many rows that are kept and need
 * nothing. Work queues, which have columns `due_at` and `attempts`, stay empty. Returns the tables that got rows.
 */
export async function fillHistory(
  client: pg.Client,
  { database, rows, except = [] }: { database: DatabaseName; rows: number; except?: readonly string[] },
): Promise<string[]> {
  const filled: string[] = [];
  // Triggers and references to other tables play no part in what a query costs.
  await client.query('set session_replication_role = replica');
  for (const [table, columns] of await listTables(client)) {
    const has = (name: string): boolean => columns.some(({ column }) => column === name);
    const isQueue = has('due_at') && has('attempts') && !has('settled_at') && !has('completed_at');
    if (isQueue || except.includes(table) || Object.hasOwn(LEFT, table)) continue;
    const own = { ...SETTLED[table], ...SETTLED[`${database}.${table}`] };
    const used = columns.filter(({ column, is_needed }) => is_needed || Object.hasOwn(own, column));
    const values = used.map(({ column, type }) => own[column] ?? valueOf(table, column, type));
    await client.query(
      `insert into ${table} (${used.map(({ column }) => column).join(', ')})
       select ${values.join(', ')} from generate_series(1, ${rows}) i on conflict do nothing`,
    );
    await client.query(`vacuum analyze ${table}`);
    filled.push(table);
  }
  return filled;
}

function valueOf(table: string, column: string, type: string): string {
  const value = BY_TYPE[type];
  if (value === undefined) throw new Error(`${table}.${column} has a type without a value: ${type}`);
  return value;
}

async function listTables(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as is_needed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1, a.attnum`,
  );
  return Map.groupBy(rows, ({ table }) => table);
}
