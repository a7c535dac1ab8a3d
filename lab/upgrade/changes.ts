import path from 'node:path';
import type pg from 'pg';

export type Amount = { changes: number; messages: number };

const DAYS = 10;
const MESSAGES_OF_A_CONVERSATION = 500;
/** Rows that one file holds while they are copied. */
const AT_ONCE = 500_000;

/**
 * Fills the database of messaging, with the schema of any release, as ten days of use would: conversations like one that is there, with the same
 * participants, their messages and their changes, by COPY. `folder`: where the server may write files.
 */
export async function fillMessaging(client: pg.Client, folder: string, amount: Amount): Promise<void> {
  const conversations = Math.max(1, Math.ceil(amount.messages / MESSAGES_OF_A_CONVERSATION));
  const each = {
    messages: Math.ceil(amount.messages / conversations),
    changes: Math.ceil(amount.changes / conversations),
  };
  await addPastPartitions(client);
  await client.query(
    `create temp table copied as select row_number() over () as n, gen_random_uuid() as id from generate_series(1, ${conversations});
     create temp table model as select * from conversation where head > 0 order by id limit 1;
     create temp table model_message as select m.* from message m join model c on c.app_id = m.app_id and c.id = m.conversation_id limit 1;
     create temp table model_change as select ch.* from change ch join model c on c.app_id = ch.app_id and c.id = ch.conversation_id order by seq desc limit 1`,
  );
  const { messages, changes } = each;
  await client.query(
    `${insertLike('conversation', await columnsOf(client, 'conversation'), 'model m, copied c', {
      ...{ id: 'c.id', distinct_key: 'null', head: `${messages}`, seq: `${changes}` },
      last_message_at: 'now()',
      changed_at: 'now()',
    })};
     ${insertLike(
       'participant',
       await columnsOf(client, 'participant'),
       'participant m join model on model.app_id = m.app_id and model.id = m.conversation_id, copied c',
       { conversation_id: 'c.id' },
     )}`,
  );
  await copyInParts(client, path.join(folder, 'messages'), {
    table: 'message',
    columns: await columnsOf(client, 'message'),
    values: { conversation_id: 'c.id', id: 'gen_random_uuid()', request_id: 'null', position: 'i' },
    from: 'model_message m',
    each: messages,
    conversations,
  });
  const at = `now() - interval '${DAYS - 1} days' * (1 - i / ${changes}::float8)`;
  await copyInParts(client, path.join(folder, 'changes'), {
    table: 'change',
    columns: await columnsOf(client, 'change'),
    values: { conversation_id: 'c.id', seq: 'i', created_at: at },
    from: 'model_change m',
    each: changes,
    conversations,
  });
  await client.query('analyze');
}

/** Adds partitions for past days as messaging adds them for days to come. */
async function addPastPartitions(client: pg.Client): Promise<void> {
  for (let day = 1; day < DAYS; day++) {
    const at = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    const until = new Date(Date.parse(at) + 86_400_000).toISOString();
    const name = `change_p${at.replaceAll('-', '')}`;
    await client.query(
      `create table ${name} (like change including all);
       alter table change attach partition ${name} for values from ('${at}T00:00:00.000Z') to ('${until}')`,
    );
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows.map(({ column }) => column);
}

type Values = Record<string, string>;

function selected(columns: readonly string[], values: Values): string {
  return columns.map((column) => values[column] ?? `m.${column}`).join(', ');
}

function insertLike(table: string, columns: readonly string[], from: string, values: Values): string {
  return `insert into ${table} (${columns.join(', ')}) select ${selected(columns, values)} from ${from}`;
}

type Copied = {
  table: string;
  columns: readonly string[];
  /** SQL of the values that differ; `c` is a conversation, `i` counts the rows of each. */
  values: Values;
  from: string;
  each: number;
  conversations: number;
};

/** Copies rows in the order of time: all conversations have the first rows, then the next ones. */
async function copyInParts(client: pg.Client, file: string, copied: Copied): Promise<void> {
  const { table, columns, values, from, each, conversations } = copied;
  const step = Math.max(1, Math.floor(AT_ONCE / conversations));
  for (let first = 1; first <= each; first += step) {
    const rows = `select ${selected(columns, values)}
      from generate_series(${first}, ${Math.min(each, first + step - 1)}) i, copied c, ${from} order by i`;
    await client.query(`copy (${rows}) to '${file}'`);
    await client.query(`copy ${table} (${columns.join(', ')}) from '${file}'`);
  }
}
