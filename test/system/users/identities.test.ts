import pg from 'pg';
import { createApp, identityUri, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { platform, postgresUrl } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
});

function identityPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}/identity`;
}

describe('the server’s identities', () => {
  test('are created, read, replaced, changed and deleted; either name of the type will do', async () => {
    const path = identityPath("o'neil (jr)!~");
    const fields = { display_name: 'O', first_name: 'P', metadata: { rank: '1' } };
    await app.server('POST', path, 201, { body: { ...fields, identity_type: 'BOT' } });
    await app.server('POST', path, 409, { body: fields });
    const { body } = await app.server('GET', path, 200);
    expect(body).toMatchObject({
      ...fields,
      id: identityUri("o'neil (jr)!~"),
      type: 'Bot',
      identity_type: 'bot',
      last_name: null,
    });
    expect(body.id).toBe('svc:///identities/o%27neil%20%28jr%29%21%7E');
    await app.server('PUT', path, 204, { body: { display_name: 'Q', type: 'user' } });
    expect((await app.server('GET', path, 200)).body).toMatchObject({
      display_name: 'Q',
      first_name: null,
      type: 'User',
      metadata: {},
    });
    await app.server('PATCH', path, 204, { body: { last_name: 'R' } });
    expect((await app.server('GET', path, 200)).body).toMatchObject({ display_name: 'Q', last_name: 'R' });
    await app.server('DELETE', path, 204);
    await app.server('GET', path, 404);
    await app.server('DELETE', path, 404);
    await app.server('PUT', path, 404, { body: { display_name: 'S' } });
    await app.server('PATCH', path, 404, { body: { display_name: 'S' } });
  });

  test.each([
    ['display_name', 129],
    ['first_name', 129],
    ['avatar_url', 1025],
    ['phone_number', 33],
    ['email_address', 256],
  ])('%s is limited in characters, not in bytes', async (property, tooLong) => {
    const path = identityPath(`limit-${property}`);
    const body = { display_name: 'x', [property]: '🙂'.repeat(tooLong) };
    const answer = await app.server('POST', path, 422, { body });
    expect(answer.body).toMatchObject({ id: 'invalid_property', data: { property } });
    await app.server('POST', path, 201, { body: { ...body, [property]: '🙂'.repeat(tooLong - 1) } });
  });
});

test('a client reads any identity of its app', async () => {
  const ada = await app.login('read-ada');
  await app.login('read-bob', { first_name: 'Bob' });
  const { body } = await ada.call('GET', '/identities/read-bob', 200);
  expect(body).toMatchObject({ user_id: 'read-bob', first_name: 'Bob', type: 'User' });
});

test('suspending ends sessions and sockets within a second, and resuming lets the user in again', async () => {
  const ada = await app.login('suspended-ada');
  const socket = await ada.connect();
  const set = (value: boolean) =>
    app.server('PATCH', '/users/suspended-ada', 202, {
      body: [{ operation: 'set', property: 'suspended', value }],
    });
  await set(true);
  expect(await socket.untilClosed(1000)).toMatchObject({ code: 4401 });
  await ada.call('GET', '/conversations', 401);
  expect((await app.server('GET', '/users/suspended-ada', 200)).body).toMatchObject({ suspended: true });
  expect((await app.server('GET', '/users/suspended-ada/conversations', 403)).body.id).toBe('user_suspended');
  await set(false);
  await (await app.login('suspended-ada')).call('GET', '/conversations', 200);
});

test('the badge adds the app’s external count and the unread messages', async () => {
  const [ada, bob] = [await app.login('badge-ada'), await app.login('badge-bob')];
  const badge = async () => (await app.server('GET', '/users/badge-ada/badge', 200)).body;
  expect(await badge()).toEqual({
    external_unread_count: 0,
    unread_conversation_count: 0,
    unread_message_count: 0,
  });
  await app.server('PUT', '/users/badge-ada/badge', 204, { body: { external_unread_count: 7 } });
  for (const count of [1, 2]) {
    const { body } = await bob.call('POST', '/conversations', 201, { body: { participants: [ada.id] } });
    for (let i = 0; i < count; i++)
      await bob.call('POST', body.messages_url, 201, { body: { parts: [textPart('x')] } });
  }
  expect(await badge()).toEqual({
    external_unread_count: 7,
    unread_conversation_count: 2,
    unread_message_count: 3,
  });
  for (const body of [{}, { external_unread_count: -1 }, { external_unread_count: 'many' }])
    await app.server('PUT', '/users/badge-ada/badge', 422, { body });
  await app.server('GET', '/users/nobody/badge', 404);
  await app.server('PUT', '/users/nobody/badge', 404, { body: { external_unread_count: 1 } });
});

test('an erased user’s data is in no database, and their messages remain as deleted messages', async () => {
  const mark = `Zaphod${Date.now()}`;
  const person = await app.login('erased', {
    display_name: mark,
    first_name: mark,
    avatar_url: `https://${mark}/`,
  });
  const bob = await app.login('erasing-bob');
  await app.server('PATCH', identityPath('erased'), 204, {
    body: { email_address: `${mark}@example.com`, metadata: { secret: mark } },
  });
  const { body: conversation } = await person.call('POST', '/conversations', 201, {
    body: { participants: ['erasing-bob'] },
  });
  const say = async (user: typeof bob, text: string) =>
    (await user.call('POST', conversation.messages_url, 201, { body: { parts: [textPart(text)] } })).body;
  await say(person, `I am ${mark}`);
  const answer = await say(bob, 'hello');
  await person.call('POST', answer.receipts_url, 204, { body: { type: 'read' } });
  await app.server('POST', '/announcements', 202, {
    body: { recipients: ['erasing-bob'], sender_id: 'erased', parts: [textPart(`${mark} speaks`)] },
  });
  await until(
    'the announcement',
    async () => (await bob.call('GET', '/announcements', 200)).body.length === 1 || undefined,
  );
  const found = await findInDatabases(mark);
  expect(found).toEqual(
    expect.arrayContaining([
      'parley_identity.identity',
      'parley_messaging.message',
      'parley_announcement.announcement',
    ]),
  );
  await app.server('DELETE', '/users/erased', 202);
  await until(
    'nothing of them is left',
    async () => (await findInDatabases(mark)).length === 0 || undefined,
    15_000,
  );
  await person.call('GET', '/conversations', 401);
  await app.server('GET', '/users/erased', 404);
  const { body: left } = await bob.call('GET', conversation.messages_url, 200);
  expect(left.map((one: { id: string }) => one.id)).toEqual([answer.id]);
  expect(left[0].recipient_status[person.uri]).not.toBe('read');
  expect((await bob.call('GET', '/announcements', 200)).body).toEqual([]);
  const { entries } = await app.admin('ListAuditEntries', { app_uuid: app.appUuid });
  expect(entries).toContainEqual(expect.objectContaining({ action: 'user.erased', subject: 'erased' }));
  await app.server('DELETE', '/users/nobody', 404);
  expect(uuidOf(answer.id)).toHaveLength(36);
});

/** Tables, of all databases of the platform, with a row that has the text in any column, bytes included. */
async function findInDatabases(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const database of await select(
    await postgresUrl('postgres'),
    `select datname as name from pg_database where datname like 'parley_%'`,
  )) {
    const url = await postgresUrl(database);
    const tables = await select(
      url,
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind = 'r' and c.relnamespace::regnamespace::text ~ '^(public|p[0-9]+)$'`,
    );
    for (const table of tables) {
      const hex = Buffer.from(text).toString('hex');
      const rows = await select(
        url,
        `select 'x' as name from ${table} t where t::text like '%${text}%' or t::text like '%${hex}%' limit 1`,
      );
      if (rows.length > 0) found.push(`${database}.${table.split('.').at(-1)}`);
    }
  }
  return found;
}

async function select(connectionString: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(text)).rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}
