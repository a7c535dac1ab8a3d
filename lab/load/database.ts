import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Bench } from './bench.ts';

/** Runs `work` on a connection to the database of messaging. */
export function withMessaging<T>(bench: Bench, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withDatabase(bench.running.state.postgres_url, 'parley_messaging', work);
}

/** Runs `work` on a connection to a database of the server that has this address. */
export async function withDatabase<T>(
  serverUrl: string,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const COLUMNS = 'app_id, conversation_id, position, id, sender_id, sent_at, body';

/**
 * Stores copies of the first message of each conversation by COPY, from position 2 up to the given one, as if they had been
 * sent and read.
 */
export async function copyMessages(
  bench: Bench,
  conversations: readonly string[],
  upTo: number,
): Promise<void> {
  // Postgres runs as another user than this process.
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-copy-'));
  chmodSync(folder, 0o777);
  const file = pg.escapeLiteral(path.join(folder, 'messages'));
  try {
    await withMessaging(bench, async (client) => {
      for (const id of conversations) {
        const copies = `select app_id, conversation_id, n, gen_random_uuid(), sender_id, sent_at, body
          from message, generate_series(2, ${Math.round(upTo)}) n
          where conversation_id = ${pg.escapeLiteral(id)} and position = 1`;
        await client.query(`copy (${copies}) to ${file}`);
        await client.query(`copy message (${COLUMNS}) from ${file}`);
      }
      await client.query('update conversation set head = $2 where id = any ($1)', [conversations, upTo]);
      await client.query('update participant set read_until = $2 where conversation_id = any ($1)', [
        conversations,
        upTo,
      ]);
      await client.query('vacuum (analyze) message');
      await client.query('checkpoint');
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stores copies of an empty conversation and its participants; resolves with the uuids of the copies. */
export async function copyConversation(bench: Bench, id: string, count: number): Promise<string[]> {
  return withMessaging(bench, async (client) => {
    await client.query(
      'create temporary table made as select gen_random_uuid() as id from generate_series(1, $1::int)',
      [count],
    );
    await client.query(
      `insert into conversation
       select (jsonb_populate_record(c, jsonb_build_object('id', made.id))).*
       from conversation c, made where c.id = $1`,
      [id],
    );
    await client.query(
      `insert into participant
       select (jsonb_populate_record(p, jsonb_build_object('conversation_id', made.id))).*
       from participant p, made where p.conversation_id = $1`,
      [id],
    );
    await client.query('vacuum (analyze) conversation, participant');
    await client.query('checkpoint');
    const { rows } = await client.query<{ id: string }>('select id from made');
    return rows.map((row) => row.id);
  });
}
