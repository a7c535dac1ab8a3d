import pg from 'pg';
import { createApp, identityUri, textPart, type TestApp } from '../../support/app.ts';
import { platform, postgresUrl } from '../../support/platform.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
  await app.server('POST', '/users/herald/identity', 201, { body: { display_name: 'Herald', type: 'bot' } });
});

test('20,000 recipients in one request: the last of them who is connected has it within 5 seconds', async () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `crowd-${i}`);
  const last = ids.at(-1)!;
  await insertIdentities(app.appUuid, ids.slice(0, -1));
  const socket = await (await app.login(last)).connect();
  const draft = { recipients: ids, sender_id: identityUri('herald'), parts: [textPart('to all')] };
  const { body: sent } = await app.server('POST', '/announcements', 202, { body: draft });
  expect(sent.recipients).toHaveLength(20_000);
  const packet = await socket.waitFor('the announcement', (p) => p.body.object?.id === sent.id, 5000);
  expect(packet.body.data.recipients).toEqual([identityUri(last)]);
  await socket.close();
}, 60_000);

/** Inserts by SQL, since twenty thousand calls would take longer than the test itself. */
async function insertIdentities(appUuid: string, userIds: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: await postgresUrl('parley_identity') });
  await client.connect();
  const text = `insert into identity (app_id, user_id, type) select $1::uuid, user_id, 1 from unnest($2::text[]) as u (user_id)`;
  await client.query(text, [appUuid, userIds]);
  await client.end();
}
