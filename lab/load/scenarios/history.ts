import pg from 'pg';
import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { createRest } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const depths = [0, 0.5, 0.9999];

/** Pages of 100 of a conversation with many messages; copies of one real message are stored by SQL, since sending them is another scenario. */
export const history = async (bench: Bench): Promise<Figures[]> => {
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const [conversation = ''] = await createConversations(users, 1);
  const total = 1_000_000 * Math.min(1, bench.scale);
  await users[0]?.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts: [{ mime_type: 'text/plain', body: 'history' }] },
  });
  await fill(bench, conversation, total);
  const read = createRest(bench.app.baseUrl, 4);
  const authorization = `Svc session-token="${users[1]?.token}"`;
  const figures: Figures[] = [];
  for (const depth of depths) {
    const from =
      depth === 0 ? '' : `&from_id=${await idAt(bench, conversation, Math.round(total * (1 - depth)) + 101)}`;
    const call = () =>
      read('GET', `/conversations/${conversation}/messages?page_size=100${from}`, authorization);
    await drive(100, 4, call);
    figures.push(
      await bench.measure(`page of 100 at depth ${Math.round(depth * total).toLocaleString('en')}`, 500, () =>
        drive(500, 4, call),
      ),
    );
  }
  return figures;
};

const database = async (bench: Bench): Promise<pg.Client> => {
  const url = new URL(bench.running.state.postgres_url);
  url.pathname = '/parley_messaging';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
};

export const fill = async (bench: Bench, conversation: string, total: number): Promise<void> => {
  const client = await database(bench);
  try {
    await client.query(
      `insert into message (app_id, conversation_id, position, id, sender_id, sent_at, body)
       select app_id, conversation_id, n, gen_random_uuid(), sender_id, sent_at, body
       from message, generate_series(2, $2::bigint) n where conversation_id = $1`,
      [conversation, total],
    );
    await client.query(`update conversation set head = $2 where id = $1`, [conversation, total]);
    await client.query(`update participant set read_until = 1 where conversation_id = $1`, [conversation]);
    await client.query('vacuum (analyze) message');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
};

const idAt = async (bench: Bench, conversation: string, position: number): Promise<string> => {
  const client = await database(bench);
  try {
    const { rows } = await client.query(
      'select id from message where conversation_id = $1 and position = $2',
      [conversation, position],
    );
    return rows[0].id;
  } finally {
    await client.end();
  }
};
