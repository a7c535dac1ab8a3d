import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let cem: TestUser;
let conversation: Json;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, cem] = await Promise.all([app.login('ada'), app.login('bob'), app.login('cem')]);
});

beforeEach(async () => {
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob', 'cem'] } }))
    .body;
});

function messagesPath() {
  return `/conversations/${uuidOf(conversation.id)}/messages`;
}
async function send(user: TestUser, body: object, expected = 201) {
  return (await user.call('POST', messagesPath(), expected, { body })).body;
}
function say(user: TestUser, text: string) {
  return send(user, { parts: [textPart(text)] });
}
function messagePath(message: { id: string }) {
  return `/messages/${uuidOf(message.id)}`;
}
async function unread(user: TestUser) {
  return (await user.call('GET', `/conversations/${uuidOf(conversation.id)}`, 200)).body.unread_message_count;
}
function bodies(messages: Json[]) {
  return messages.map((message) => message.parts[0].body);
}

describe('sending', () => {
  test('gives the whole record', async () => {
    const parts = [
      { mime_type: 'text/plain; charset=utf-8', body: 'hello' },
      { id: randomUUID(), mime_type: 'image/png', body: 'AAEC', encoding: 'base64' },
    ];
    const message = await send(ada, {
      parts,
      notification: { text: 'hello', title: 'Ada', sound: 'ping.aiff' },
    });
    const url = `${app.baseUrl}${messagePath(message)}`;
    expect(message).toMatchObject({
      id: expect.stringMatching(/^svc:\/\/\/messages\/[0-9a-f-]{36}$/),
      url,
      receipts_url: `${url}/receipts`,
      position: 1,
      conversation: { id: conversation.id, url: conversation.url },
      is_unread: false,
      updated_at: null,
      sender: {
        id: ada.uri,
        user_id: 'ada',
        display_name: 'ada',
        avatar_url: null,
        url: `${app.baseUrl}/identities/ada`,
      },
      recipient_status: { [ada.uri]: 'read', [bob.uri]: 'sent', [cem.uri]: 'sent' },
    });
    expect(message.sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(message.received_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(message.parts[0]).toMatchObject({
      mime_type: 'text/plain; charset=utf-8',
      body: 'hello',
      encoding: null,
      content: null,
    });
    expect(message.parts[0].id).toMatch(new RegExp(`^${message.id}/parts/[0-9a-f-]{36}$`));
    expect(message.parts[1]).toMatchObject({
      id: `${message.id}/parts/${parts[1]!.id}`,
      body: 'AAEC',
      encoding: 'base64',
      message_url: url,
    });
    expect((await ada.call('GET', messagePath(message), 200)).body).toEqual(message);
  });

  test('positions grow, the newest comes first', async () => {
    for (const text of ['one', 'two', 'three']) await say(ada, text);
    const { body, headers } = await bob.call('GET', messagesPath(), 200);
    expect(bodies(body)).toEqual(['three', 'two', 'one']);
    expect(body.map((message: Json) => message.position)).toEqual([3, 2, 1]);
    expect(headers['svc-count']).toBe('3');
  });

  test('paging by from_id, as URI or bare', async () => {
    const sent = [];
    for (let index = 0; index < 7; index++) sent.push(await say(ada, String(index)));
    const page = await bob.call(
      'GET',
      `${messagesPath()}?page_size=3&from_id=${encodeURIComponent(sent[4].id)}`,
      200,
    );
    expect(bodies(page.body)).toEqual(['3', '2', '1']);
    expect(page.headers['svc-count']).toBe('7');
    expect(
      bodies((await bob.call('GET', `${messagesPath()}?from_id=${uuidOf(sent[1].id)}`, 200)).body),
    ).toEqual(['0']);
    const unknown = await bob.call('GET', `${messagesPath()}?from_id=${randomUUID()}`, 422);
    expect(unknown.body).toMatchObject({ id: 'invalid_property', data: { property: 'from_id' } });
  });

  test('an id in use is 409 with its message, and uses no position', async () => {
    const id = randomUUID();
    const message = await send(ada, { id: `svc:///messages/${id}`, parts: [textPart('once')] });
    expect(message.id).toBe(`svc:///messages/${id}`);
    const again = await send(ada, { id, parts: [textPart('twice')] }, 409);
    expect(again).toMatchObject({ id: 'id_in_use', code: 111 });
    expect(again.data).toEqual(message);
    expect((await say(ada, 'next')).position).toBe(2);
  });

  test('simultaneous requests with one id create one message', async () => {
    const id = randomUUID();
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        ada.call('POST', messagesPath(), 201, { body: { id, parts: [textPart('race')] } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(String(answer.reason)).toContain('got 409');
    expect((await say(ada, 'next')).position).toBe(2);
  });

  const long = 'ü'.repeat(1024);
  const refused: [string, unknown, string, string][] = [
    ['no parts', {}, 'missing_property', 'parts'],
    ['an empty list', { parts: [] }, 'invalid_property', 'parts'],
    ['parts that are no list', { parts: 'hello' }, 'invalid_property', 'parts'],
    [
      'too many parts',
      { parts: Array.from({ length: 1001 }, () => textPart('x')) },
      'invalid_property',
      'parts',
    ],
    [
      'a body over 2048 bytes',
      { parts: [textPart('a'), textPart(`${long}!`)] },
      'invalid_property',
      'parts.1.body',
    ],
    [
      'a body that is not base64',
      { parts: [{ mime_type: 'image/png', body: '***', encoding: 'base64' }] },
      'invalid_property',
      'parts.0.body',
    ],
    [
      'an unknown encoding',
      { parts: [{ mime_type: 'image/png', body: 'a', encoding: 'rot13' }] },
      'invalid_property',
      'parts.0.encoding',
    ],
    ['no mime type', { parts: [{ body: 'a' }] }, 'missing_property', 'parts.0.mime_type'],
    [
      'a badge',
      { parts: [textPart('a')], notification: { text: 'a', badge: 3 } },
      'invalid_property',
      'notification.badge',
    ],
  ];
  test.each(refused)('refuses %s', async (_name, body, id, property) => {
    expect(await send(ada, body as object, 422)).toMatchObject({ id, data: { property } });
    expect((await bob.call('GET', messagesPath(), 200)).body).toEqual([]);
  });

  test('a body of exactly 2048 bytes is stored unchanged', async () => {
    const message = await send(ada, { parts: [textPart(long)] });
    expect((await bob.call('GET', messagePath(message), 200)).body.parts[0].body).toBe(long);
  });

  test('every character is stored unchanged', async () => {
    const text = 'NUL \u0000, quote ", 漢字, 👩‍👩‍👧‍👦, \u2028';
    const message = await say(ada, text);
    expect((await bob.call('GET', messagePath(message), 200)).body.parts[0].body).toBe(text);
  });
});

describe('deleting', () => {
  test('for all participants: removed for each of them, and unread counts follow', async () => {
    const message = await say(ada, 'oops');
    await say(ada, 'fine');
    await bob.call('DELETE', `${messagePath(message)}?mode=all_participants`, 204);
    expect((await ada.call('GET', messagePath(message), 404)).text).toBe('');
    const list = await cem.call('GET', messagesPath(), 200);
    expect(bodies(list.body)).toEqual(['fine']);
    expect(list.headers['svc-count']).toBe('1');
    expect(await unread(cem)).toBe(1);
    await bob.call('DELETE', `${messagePath(message)}?mode=all_participants`, 204);
    await ada.call('DELETE', `${messagePath(message)}?mode=all_participants`, 404);
    const server = `/conversations/${uuidOf(conversation.id)}/messages/${uuidOf(message.id)}`;
    await app.server('GET', server, 410);
    await app.server('DELETE', server, 204);
  });

  test('without a mode: for the caller only; hiding an unread message lowers the count', async () => {
    const message = await say(ada, 'hide me');
    expect(await unread(bob)).toBe(1);
    await bob.call('DELETE', messagePath(message), 204);
    expect(await unread(bob)).toBe(0);
    await bob.call('GET', messagePath(message), 404);
    expect((await bob.call('GET', messagesPath(), 200)).headers['svc-count']).toBe('0');
    expect((await cem.call('GET', messagePath(message), 200)).body.recipient_status[bob.uri]).toBe('sent');
  });

  test('an unknown mode is refused', async () => {
    const message = await say(ada, 'hi');
    expect((await ada.call('DELETE', `${messagePath(message)}?mode=x`, 422)).body.data.property).toBe('mode');
  });
});
