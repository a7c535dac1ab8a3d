import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPlatform } from '@parley/stack/platform';
import { freePort } from '@parley/testing';
import { createApp } from '../../test/support/app.ts';
import { until } from '../../test/support/until.ts';
import { withDatabase } from '../upgrade/databases.ts';
import { createRest } from '../load/client.ts';
import { createNames } from './names.ts';

// `npm run lab -- users [--users 1000000 --searches 2000]`: fills an application with users and conversations, and says how long searches for users
// take over HTTP: by everyone, by who shares conversations, and by servers in the list of users.
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { users: { type: 'string', default: '1000000' }, searches: { type: 'string', default: '2000' } },
});
const [users, searches] = [Number(values.users), Number(values.searches)];
if (!Number.isSafeInteger(users) || !Number.isSafeInteger(searches))
  throw new Error('--users and --searches are whole numbers');

const ROWS_AT_ONCE = 20_000;
/** Conversations of the user who searches, and participants of each besides them. */
const [CONVERSATIONS, OTHERS] = [300, 9];
const WORDS_WITHIN_MS = 1_800_000;

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-users-'));
const running = await startPlatform({
  ...{ dataDir, port: await freePort(), demo: false, durable: false },
  env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '0' } },
});
try {
  await measure();
} finally {
  await running.discard();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const app = await createApp({ baseUrl: running.baseUrl, adminToken: running.state.admin_token });
  const ada = await app.login('ada');
  const names = createNames(7);
  const began = performance.now();
  await fill(app.appUuid, names.full);
  say(`${users} users written by an earlier release have their words after ${seconds(began)} s`);
  const rest = createRest(running.baseUrl, 8);
  const session = `Svc session-token="${ada.token}"`;
  const server = `Bearer ${app.accessToken}`;
  const search = (): string => encodeURIComponent(names.beginning());
  for (const directory of ['everyone', 'shared']) {
    const step = { operation: 'set', property: 'user_directory', value: directory };
    await app.server('PATCH', '', 202, { body: [step] });
    await time(`GET /users, ${directory}`, () => rest('GET', `/users?q=${search()}`, session));
  }
  const list = `/apps/${app.appUuid}/users`;
  await time(`GET ${list.replace(app.appUuid, ':app_uuid')}?q`, () =>
    rest('GET', `${list}?page_size=20&q=${search()}`, server),
  );
}

/** Stores users as an earlier release would, which knows no words, and conversations of the user who searches. */
async function fill(appId: string, nameOf: () => string): Promise<void> {
  await withDatabase(running.state.postgres_url, 'identity', async (client) => {
    for (let first = 0; first < users; first += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, users - first);
      const ids = Array.from({ length: count }, (_, index) => idOf(first + index));
      await client.query(
        `insert into identity (app_id, user_id, type, display_name)
         select $1::uuid, user_id, 1, name from unnest($2::text[], $3::text[]) as one (user_id, name)`,
        [appId, ids, ids.map(nameOf)],
      );
    }
    await client.query(
      `insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at)
       select $1::uuid, user_id, room.id, 1, now()
       from (select gen_random_uuid() as id from generate_series(1, $2::int)) as room
       cross join lateral (
         select 'ada' as user_id union
         select 'user-' || lpad((random() * $4)::int::text, 7, '0') from generate_series(1, $3::int) where room.id is not null) as member
       on conflict do nothing`,
      [appId, CONVERSATIONS, OTHERS, users - 1],
    );
    const isDone = async (): Promise<boolean> =>
      (await client.query('select from identity where words_version is distinct from version limit 1'))
        .rowCount === 0;
    await until('the words are written', isDone, WORDS_WITHIN_MS);
    await client.query('vacuum analyze identity_word, membership, identity');
  });
}

function idOf(number: number): string {
  return `user-${String(number).padStart(7, '0')}`;
}

async function time(what: string, search: () => Promise<string>): Promise<void> {
  const taken: number[] = [];
  let found = 0;
  for (let one = 0; one < searches; one += 1) {
    const began = performance.now();
    const answer = await search();
    taken.push(performance.now() - began);
    if (answer !== '[]') found += 1;
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): string => (taken[Math.floor(taken.length * share)] ?? 0).toFixed(1);
  say(
    `${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${taken.at(-1)?.toFixed(1)} ms; ${found} of ${searches} found users`,
  );
}

function seconds(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
