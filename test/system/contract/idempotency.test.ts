import { randomBytes, randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';
import type { Json } from '../../support/json.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let path: string;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

beforeEach(async () => {
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  path = `/conversations/${uuidOf(body.id)}/messages`;
});

function withKey(body: unknown, key: string) {
  return { body, headers: { 'idempotency-key': key } };
}
const hello = { parts: [textPart('hello')] };
async function count() {
  return Number((await ada.call('GET', path, 200)).headers['svc-count']);
}

test('a message that is sent again is the same message, with the same answer', async () => {
  const key = randomUUID();
  const first = await ada.call('POST', path, 201, withKey(hello, key));
  await bob.call('POST', `/messages/${uuidOf(first.body.id)}/receipts`, 204, { body: { type: 'read' } });
  const second = await ada.call('POST', path, 201, withKey(hello, key));
  expect(second.text).toBe(first.text);
  expect(second.headers['location']).toBe(first.headers['location']);
  expect(await count()).toBe(1);
});

test('simultaneous requests with a key have one effect and one answer', async () => {
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ada.call('POST', path, 201, withKey(hello, key))),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await count()).toBe(1);
});

test('another body with the same key: 409 conflict', async () => {
  const key = randomUUID();
  await ada.call('POST', path, 201, withKey(hello, key));
  const { body } = await ada.call('POST', path, 409, withKey({ parts: [textPart('other')] }, key));
  expect(body).toMatchObject({ id: 'conflict', code: 108, data: { header: 'Idempotency-Key' } });
  expect(await count()).toBe(1);
});

test("a key is its caller's own", async () => {
  const key = randomUUID();
  const byAda = await ada.call('POST', path, 201, withKey(hello, key));
  const byBob = await bob.call('POST', path, 201, withKey(hello, key));
  expect(byBob.body.id).not.toBe(byAda.body.id);
});

test('a refusal is repeated too', async () => {
  const key = randomUUID();
  const first = await ada.call('POST', path, 422, withKey({ parts: [] }, key));
  expect((await ada.call('POST', path, 422, withKey({ parts: [] }, key))).text).toBe(first.text);
});

test('an invalid key is answered with 422', async () => {
  const { body } = await ada.call('POST', path, 422, withKey(hello, 'x'.repeat(256)));
  expect(body.data).toMatchObject({ header: 'Idempotency-Key' });
});

describe('every POST', () => {
  const twice = async (where: string, expected: number, body?: unknown) => {
    const key = randomUUID();
    const given = body === undefined ? { headers: { 'idempotency-key': key } } : withKey(body, key);
    const first = await app.server('POST', where, expected, given);
    const second = await app.server('POST', where, expected, given);
    expect(second.text).toBe(first.text);
    return first;
  };

  test('a conversation', async () => {
    const { body } = await twice('/conversations', 201, { participants: ['ada', 'bob'] });
    const { body: all } = await app.server('GET', '/conversations', 200);
    expect(all.filter(({ id }: Json) => id === body.id)).toHaveLength(1);
  });

  test('a batch', async () => {
    await twice(path, 202, [
      { ...hello, sender_id: 'ada' },
      { ...hello, sender_id: 'bob' },
    ]);
    expect(await count()).toBe(2);
  });

  test('a part', async () => {
    const { body: message } = await app.server('POST', path, 201, { body: { ...hello, sender_id: 'ada' } });
    await twice(`${path}/${uuidOf(message.id)}/parts`, 201, textPart('one more'));
    expect((await app.server('GET', `${path}/${uuidOf(message.id)}/parts`, 200)).body).toHaveLength(2);
  });

  test('an identity', async () => {
    const user = `u-${randomUUID()}`;
    await twice(`/users/${user}/identity`, 201, { display_name: 'New' });
    await app.server('POST', `/users/${user}/identity`, 409, { body: { display_name: 'New' } });
  });

  test('a receipt, mark all read and delivered', async () => {
    const { body: message } = await app.server('POST', path, 201, { body: { ...hello, sender_id: 'ada' } });
    await twice(`/users/bob/messages/${uuidOf(message.id)}/receipts`, 204, { type: 'read' });
    for (const mark of ['mark_all_delivered', 'mark_all_read']) {
      const { body } = await twice(`/users/bob${path.replace('/messages', `/${mark}`)}`, 202, {
        position: null,
      });
      expect(body.position).toBe(1);
    }
  });

  test('a login gives the same session again, although its nonce is used', async () => {
    const identity_token = await app.identityToken('cem');
    const given = withKey({ identity_token, app_id: app.appId }, randomUUID());
    const first = await call('POST', `${app.baseUrl}/sessions`, 201, given);
    const second = await call('POST', `${app.baseUrl}/sessions`, 201, given);
    expect(second.body).toEqual(first.body);
    expect(second.headers['link']).toBe(first.headers['link']);
    await call('POST', `${app.baseUrl}/sessions`, 422, { body: given.body });
  });
});

test('a login that is refused leaves its key free: the right one may have it', async () => {
  const key = randomUUID();
  const identityToken = await app.identityToken('dora');
  const logIn = (identity_token: string, expected: number) =>
    call('POST', `${app.baseUrl}/sessions`, expected, withKey({ identity_token, app_id: app.appId }, key));
  const forged = identityToken.replace(/[^.]+$/, Buffer.alloc(256, 1).toString('base64url'));
  const { body } = await logIn(forged, 422);
  expect(body.data).toMatchObject({ reason: 'eit_signature_verification_failed' });
  await logIn(identityToken, 201);
});

test('If-None-Match names the new object on the server API', async () => {
  const id = randomUUID();
  const given = { body: { ...hello, sender_id: 'ada' }, headers: { 'if-none-match': `"${id}"` } };
  const { body } = await app.server('POST', path, 201, given);
  expect(uuidOf(body.id)).toBe(id);
  const again = await app.server('POST', path, 409, given);
  expect(again.body).toMatchObject({ id: 'id_in_use', data: { id: body.id } });
});

describe('an answer that is too large to be recorded', () => {
  /** Participants come in any order. */
  const inOrder = (body: Json) => ({
    ...body,
    participants: (body.participants as Json[] | undefined)?.map(({ id }) => String(id)).sort(),
  });

  /** Many participants with ids that cannot be packed. */
  const people = Array.from({ length: 249 }, () => randomBytes(150).toString('base64url'));
  let large: Json;

  beforeAll(async () => {
    const names = [...people];
    const register = async () => {
      for (let id = names.pop(); id !== undefined; id = names.pop())
        await app.server('POST', `/users/${id}/identity`, 201, { body: { display_name: 'x' } });
    };
    await Promise.all(Array.from({ length: 10 }, register));
    const body = { participants: [...people, 'ada'] };
    large = (await ada.call('POST', '/conversations', 201, { body })).body;
  }, 120_000);

  test('is given again with the message as it is now, and not found after its deletion', async () => {
    const key = randomUUID();
    const first = await ada.call('POST', large.messages_url, 201, withKey(hello, key));
    expect(first.text.length).toBeGreaterThan(50_000);
    const second = await ada.call('POST', large.messages_url, 201, withKey(hello, key));
    expect(second.body).toEqual(first.body);
    expect(second.headers['location']).toBe(first.headers['location']);
    const reader = people[0]!;
    const receipts = `/users/${reader}/messages/${uuidOf(first.body.id)}/receipts`;
    await app.server('POST', receipts, 204, { body: { type: 'read' } });
    const later = await ada.call('POST', large.messages_url, 201, withKey(hello, key));
    expect(later.body.recipient_status[`svc:///identities/${reader}`]).toBe('read');
    await ada.call('DELETE', `${first.body.url}?mode=all_participants`, 204);
    const { body } = await ada.call('POST', large.messages_url, 404, withKey(hello, key));
    expect(body).toMatchObject({ id: 'not_found' });
    expect(Number((await ada.call('GET', large.messages_url, 200)).headers['svc-count'])).toBe(0);
  });

  test('of a server is given again too, also for a user, and as a refusal', async () => {
    const messages = `/conversations/${uuidOf(large.id)}/messages`;
    const id = randomUUID();
    const draft = { ...hello, id, sender_id: 'ada' };
    for (const [path, body] of [
      [messages, { ...hello, sender_id: 'ada' }],
      [`/users/ada${messages}`, hello],
      ['/conversations', { participants: [...people, 'ada'] }],
    ] as const) {
      const given = withKey(body, randomUUID());
      const first = await app.server('POST', path, 201, given);
      const second = await app.server('POST', path, 201, given);
      expect(inOrder(second.body)).toEqual(inOrder(first.body));
    }
    await app.server('POST', messages, 201, { body: draft });
    const given = withKey(draft, randomUUID());
    const refused = await app.server('POST', messages, 409, given);
    expect(refused.text.length).toBeGreaterThan(50_000);
    expect((await app.server('POST', messages, 409, given)).body).toEqual(refused.body);
  });

  test('of an announcement is given again, which reaches its recipients once', async () => {
    const given = withKey({ ...hello, sender_id: 'ada', recipients: [...people, 'bob'] }, randomUUID());
    const first = await app.server('POST', '/announcements', 202, given);
    const second = await app.server('POST', '/announcements', 202, given);
    expect(second.body).toEqual(first.body);
    const arrived = async () => (await bob.call('GET', '/announcements', 200)).body as Json[];
    await until('the announcement', async () => (await arrived()).length > 0 || undefined);
    expect((await arrived()).map((one) => one.id)).toEqual([first.body.id]);
  });
});
