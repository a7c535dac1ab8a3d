import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { request } from 'undici';
import { createApp, identityUri, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { completed, makeKeyPair, open } from '../../support/archive.ts';
import { MEDIA_TYPE } from '../../support/http.ts';
import { LONGEST_AVATAR, LONGEST_NAME } from '../../support/identities.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { until } from '../../support/until.ts';

// The largest legal objects, in every list: lists are complete at any size, and no process holds a whole list in memory.

/** Parts of about the largest message: 900,000 bytes including the overhead of each. */
const PARTS = Array.from({ length: 400 }, () => textPart('x'.repeat(2040)));
const MEMBERS = Array.from({ length: 250 }, (_, index) => `member ${index}`);

let own: OwnPlatform;
let app: TestApp;
let alice: TestUser;

beforeAll(async () => {
  own = await ownPlatform({ durable: false });
  app = await createApp(own);
  alice = await app.login('alice');
}, 60_000);
afterAll(() => own?.stop(), 40_000);

async function query(database: string, text: string, values: unknown[]): Promise<void> {
  const url = new URL(own.running.state.postgres_url);
  url.pathname = `/parley_${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

async function newConversation(body: object = { participants: [], distinct: false }): Promise<string> {
  return uuidOf((await alice.call('POST', '/conversations', 201, { body })).body.id);
}

function sendLargest(conversation: string) {
  return alice.call('POST', `/conversations/${conversation}/messages`, 201, { body: { parts: PARTS } });
}

async function memory(name: string, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const pid = own.running.state.processes.find((one) => one.name === name)?.pid;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function inMegabytes(bytes: number): number {
  return bytes / 1024 / 1024;
}

/** Ids of the objects of a type that a replay creates, when as many have come. */
async function replayed(user: TestUser, type: string, count: number): Promise<string[]> {
  const socket = await user.connect();
  const data = { from_timestamp: new Date(Date.now() - 3_600_000).toISOString() };
  expect(await socket.request('Event.replay', { data })).toMatchObject({ success: true });
  const created = () =>
    socket
      .changes(type)
      .filter(({ operation }) => operation === 'create')
      .map(({ object }) => object.id as string);
  const ids = await until(
    `${count} replayed`,
    () => (created().length >= count ? created() : undefined),
    30_000,
  );
  await socket.close();
  return ids;
}

describe('a conversation of a hundred messages of 900,000 bytes', () => {
  const PAGES_AT_ONCE = 8;
  let conversation: string;

  beforeAll(async () => {
    conversation = await newConversation();
    await sendLargest(conversation);
    await query(
      'messaging',
      `insert into message (app_id, conversation_id, position, id, sender_id, sent_at, low, body)
       select app_id, conversation_id, number, gen_random_uuid(), sender_id, sent_at, low, body
       from message, generate_series(2, 100) as number where conversation_id = $1 and position = 1`,
      [conversation],
    );
    await query('messaging', 'update conversation set head = 100 where id = $1', [conversation]);
  }, 60_000);

  test('is listed as one page', async () => {
    const { headers, body } = await alice.call('GET', `/conversations/${conversation}/messages`, 200);
    expect(headers['svc-count']).toBe('100');
    expect(headers['content-type']).toContain('application/json');
    expect(body.map(({ position }: { position: number }) => position)).toEqual(
      Array.from({ length: 100 }, (_, index) => 100 - index),
    );
    for (const message of body) expect(message.parts).toHaveLength(PARTS.length);
  }, 60_000);

  test('does not fill the memory of a process, however many pages are read at once', async () => {
    const url = `${app.baseUrl}/apps/${app.appUuid}/conversations/${conversation}/messages`;
    const before = await memory('gateway', 'VmRSS');
    const pages = Array.from({ length: PAGES_AT_ONCE }, async () => {
      const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${app.accessToken}` };
      const { statusCode, body } = await request(url, { headers });
      expect(statusCode).toBe(200);
      let bytes = 0;
      for await (const chunk of body) bytes += (chunk as Buffer).length;
      return bytes;
    });
    const [bytes = 0, ...others] = await Promise.all(pages);
    expect(inMegabytes(bytes)).toBeGreaterThan(80);
    expect(others).toEqual(others.map(() => bytes));
    expect((await memory('gateway', 'VmHWM')) - before).toBeLessThan(300);
    expect(await memory('messaging', 'VmHWM')).toBeLessThan(500);
  }, 120_000);
});

test('a list of conversations is whole when each has a message of 900,000 bytes', async () => {
  const bob = await app.login('bob');
  const conversations: string[] = [];
  for (let index = 0; index < 12; index++) {
    const conversation = await newConversation({ participants: ['bob'], distinct: false });
    await sendLargest(conversation);
    conversations.unshift(conversation);
  }
  const { headers, body } = await bob.call('GET', '/conversations', 200);
  expect(body.map(({ id }: { id: string }) => uuidOf(id))).toEqual(conversations);
  for (const { last_message } of body) expect(last_message.parts).toHaveLength(PARTS.length);
  expect(headers['svc-count']).toBe('12');
  expect(await replayed(bob, 'Message', 12)).toHaveLength(12);
}, 60_000);

test('the announcements of a user are whole when each has 900,000 bytes', async () => {
  const cem = await app.login('cem');
  await app.server('POST', '/users/herald/identity', 201, { body: { display_name: 'Herald', type: 'bot' } });
  const announcements: string[] = [];
  for (let index = 0; index < 12; index++) {
    const body = { sender_id: identityUri('herald'), recipients: ['cem'], parts: PARTS };
    announcements.unshift((await app.server('POST', '/announcements', 202, { body })).body.id);
  }
  await until('all are received', async () => {
    const { headers } = await cem.call('GET', '/announcements?page_size=1', 200);
    return headers['svc-count'] === '12' || undefined;
  });
  expect(new Set(await replayed(cem, 'Announcement', 12))).toEqual(new Set(announcements));
  const { body } = await cem.call('GET', '/announcements', 200);
  expect(body.map(({ id }: { id: string }) => id)).toEqual(announcements);
}, 60_000);

describe('groups of 250 with the longest names and avatar addresses', () => {
  const GROUPS = 32;
  let groups: string[];

  beforeAll(async () => {
    const identity = { display_name: LONGEST_NAME, avatar_url: LONGEST_AVATAR };
    for (let from = 0; from < MEMBERS.length; from += 25) {
      const some = MEMBERS.slice(from, from + 25);
      await Promise.all(
        some.map((id) =>
          app.server('POST', `/users/${encodeURIComponent(id)}/identity`, 201, { body: identity }),
        ),
      );
    }
    groups = [];
    for (let index = 0; index < GROUPS; index++) {
      const body = { participants: MEMBERS, distinct: false };
      const { body: created } = await app.server('POST', '/conversations', 201, { body });
      groups.unshift(created.id);
    }
  }, 120_000);

  test('are listed and replayed', async () => {
    const member = await app.login('member 7', { display_name: LONGEST_NAME, avatar_url: LONGEST_AVATAR });
    const { body } = await member.call('GET', '/conversations', 200);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(groups);
    for (const { participants } of body) {
      expect(participants).toHaveLength(MEMBERS.length);
      expect(participants[249]).toMatchObject({ display_name: LONGEST_NAME, avatar_url: LONGEST_AVATAR });
    }
    expect(new Set(await replayed(member, 'Conversation', GROUPS))).toEqual(new Set(groups));
    const { body: listed } = await app.server('GET', '/conversations?page_size=40', 200);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(groups));
  }, 60_000);

  test('are followed and blocked in lists that are whole', async () => {
    const dora = await app.login('dora');
    const body = MEMBERS;
    await app.server('POST', '/users/dora/following', 202, { body });
    await app.server('PATCH', '/users/dora/blocks', 202, {
      body: [{ operation: 'set', property: 'blocks', value: MEMBERS }],
    });
    const blocked = (await dora.call('GET', '/blocks', 200)).body;
    expect(blocked.map(({ user_id }: { user_id: string }) => user_id)).toEqual(MEMBERS.toSorted());
    // Following many at once is accepted with 202 and carried out afterwards.
    const followed = await until('all of them are followed', async () => {
      const { body: identities } = await dora.call('GET', '/identities', 200);
      return identities.length >= MEMBERS.length ? identities : undefined;
    });
    expect(followed.map(({ user_id }: { user_id: string }) => user_id)).toEqual(MEMBERS.toSorted());
  }, 60_000);

  test('are in an export', async () => {
    const pair = makeKeyPair();
    await app.server('PUT', '/export_security', 200, { body: { public_key: pair.publicKey } });
    const { body } = await app.server('POST', '/exports', 202);
    const opened = await open(await completed(app, body.id, 60_000), pair.privateKey);
    const ids = opened.conversations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(groups));
    expect(opened.messages).toHaveLength(112);
  }, 120_000);
});
