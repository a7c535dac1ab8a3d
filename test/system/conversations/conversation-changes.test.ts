import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let cem: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob, cem] = await Promise.all([
    app.login('ada', { avatar_url: 'https://a.example/a.png' }),
    app.login('bob'),
    app.login('cem'),
  ]);
});

async function create(user: TestUser, body: object, expected = 201) {
  return (await user.call('POST', '/conversations', expected, { body })).body;
}
function path(conversation: { id: string }) {
  return `/conversations/${uuidOf(conversation.id)}`;
}
function patch(user: TestUser, conversation: { id: string }, body: unknown, expected = 204) {
  return user.call('PATCH', path(conversation), expected, {
    body,
    headers: { 'content-type': 'application/vnd.svc-patch+json' },
  });
}
async function send(user: TestUser, conversation: { id: string }, text = 'hi', expected = 201) {
  return (
    await user.call('POST', `${path(conversation)}/messages`, expected, { body: { parts: [textPart(text)] } })
  ).body;
}
function ids(participants: { id: string }[]) {
  return participants.map(({ id }) => id).sort();
}

describe('changing', () => {
  test('metadata by path, with escaped dots, whole or not at all', async () => {
    const made = await create(ada, { participants: ['bob'], metadata: { a: { b: 'c' }, x: 'y' } });
    await patch(bob, made, [
      { operation: 'set', property: 'metadata.a.d', value: 'e' },
      { operation: 'set', property: 'metadata.p.q', value: 'r' },
      { operation: 'set', property: 'metadata.dot\\.ted', value: 's' },
      { operation: 'delete', property: 'metadata.x' },
    ]);
    expect((await ada.call('GET', path(made), 200)).body.metadata).toEqual({
      a: { b: 'c', d: 'e' },
      p: { q: 'r' },
      'dot.ted': 's',
    });
    await patch(
      bob,
      made,
      [
        { operation: 'set', property: 'metadata.a.b', value: 'lost' },
        { operation: 'set', property: 'metadata.a.z', value: 'x'.repeat(3000) },
      ],
      422,
    );
    expect((await ada.call('GET', path(made), 200)).body.metadata.a.b).toBe('c');
  });

  test.each([
    ['111 KB of small steps', 1_000, (n: number) => [`metadata.key-${n}`, 'x'.repeat(40)]],
    ['706 KB of larger ones', 1_000, (n: number) => [`metadata.key-${n}`, 'x'.repeat(630)]],
    ['1 MB of steps that undo each other', 900, (n: number) => ['metadata.a', `${n % 2}`.repeat(1_050)]],
  ])('%s are refused, and nothing is changed', async (_, count, make) => {
    const made = await create(ada, { participants: ['bob'], metadata: { a: 'b' } });
    const steps = Array.from({ length: count }, (__, n) => {
      const [property, value] = make(n);
      return { operation: 'set', property, value };
    });
    const { body } = await patch(ada, made, steps, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'metadata' } });
    expect((await ada.call('GET', path(made), 200)).body.metadata).toEqual({ a: 'b' });
  });

  test('all participants one by one, in one patch', async () => {
    const made = await create(ada, { participants: ['bob'] });
    const step = (operation: string, id: string) => ({ operation, property: 'participants', id });
    const others = Array.from({ length: 249 }, (_, n) => `nobody-${n}`);
    const steps = [step('remove', 'bob'), step('add', 'cem'), ...others.map((id) => step('remove', id))];
    await patch(ada, made, steps);
    expect(ids((await ada.call('GET', path(made), 200)).body.participants)).toEqual([ada.uri, cem.uri]);
  });

  test('unknown properties and operations are refused', async () => {
    const made = await create(ada, { participants: ['bob'] });
    await patch(ada, made, [{ operation: 'set', property: 'distinct', value: true }], 422);
    await patch(ada, made, [{ operation: 'explode', property: 'metadata.a', value: 'b' }], 422);
    await patch(ada, made, { operation: 'set' }, 400);
  });

  test('participants by add, remove and set', async () => {
    const made = await create(ada, { participants: ['bob'] });
    await patch(ada, made, [{ operation: 'add', property: 'participants', value: 'cem' }]);
    await patch(ada, made, [{ operation: 'remove', property: 'participants', id: bob.uri }]);
    expect(ids((await ada.call('GET', path(made), 200)).body.participants)).toEqual([ada.uri, cem.uri]);
    await patch(ada, made, [{ operation: 'set', property: 'participants', value: ['ada', bob.uri] }]);
    expect(ids((await ada.call('GET', path(made), 200)).body.participants)).toEqual([ada.uri, bob.uri]);
  });

  test('a participant added later sees the history, has none of it unread, and is not in its recipient_status', async () => {
    const made = await create(ada, { participants: ['bob'] });
    await send(ada, made, 'before');
    await patch(ada, made, [{ operation: 'add', property: 'participants', id: cem.uri }]);
    expect((await cem.call('GET', path(made), 200)).body).toMatchObject({
      unread_message_count: 0,
      total_message_count: 1,
    });
    const { body: messages, headers } = await cem.call('GET', `${path(made)}/messages`, 200);
    expect(headers['svc-count']).toBe('1');
    expect(messages[0].recipient_status).toEqual({ [ada.uri]: 'read', [bob.uri]: 'sent' });
    await send(ada, made, 'after');
    expect((await cem.call('GET', path(made), 200)).body.unread_message_count).toBe(1);
  });

  test('a removed participant keeps the earlier messages, read-only', async () => {
    const made = await create(ada, { participants: ['bob', 'cem'] });
    await send(ada, made, 'before');
    await patch(ada, made, [{ operation: 'remove', property: 'participants', id: bob.uri }]);
    await send(ada, made, 'after');
    const { body } = await bob.call('GET', path(made), 200);
    expect(body).toMatchObject({
      participants: [],
      total_message_count: 1,
      last_message: { parts: [{ body: 'before' }] },
    });
    expect((await bob.call('GET', '/conversations', 200)).body.map(({ id }: { id: string }) => id)).toContain(
      made.id,
    );
    expect(await send(bob, made, 'no', 403)).toMatchObject({ id: 'access_denied', code: 101 });
    await patch(bob, made, [{ operation: 'set', property: 'metadata.a', value: 'b' }], 403);
  });

  test('a conversation that the caller may not see is not found', async () => {
    const made = await create(ada, { participants: ['bob'] });
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/messages'],
      ['DELETE', '?mode=my_devices'],
    ] as const) {
      expect((await cem.call(method, `${path(made)}${suffix}`, 404)).body).toMatchObject({
        id: 'not_found',
        code: 102,
      });
    }
    await patch(cem, made, [{ operation: 'set', property: 'metadata.a', value: 'b' }], 404);
    await send(cem, made, 'no', 404);
  });
});

describe('deleting', () => {
  test('for all: removed for all participants; repeating it succeeds', async () => {
    const made = await create(ada, { participants: ['bob'] });
    await bob.call('DELETE', `${path(made)}?mode=all_participants`, 204);
    await ada.call('GET', path(made), 404);
    await bob.call('DELETE', `${path(made)}?mode=all_participants`, 204);
    await app.server('GET', path(made), 410);
    await app.server('DELETE', path(made), 204);
  });

  test('mode my_devices hides the conversation; a new message brings it back without the earlier messages', async () => {
    const made = await create(ada, { participants: ['bob'] });
    await send(ada, made, 'old');
    await bob.call('DELETE', path(made), 204);
    expect(
      (await bob.call('GET', '/conversations', 200)).body.map(({ id }: { id: string }) => id),
    ).not.toContain(made.id);
    await ada.call('GET', path(made), 200);
    await send(ada, made, 'new');
    const { body } = await bob.call('GET', path(made), 200);
    expect(body).toMatchObject({
      unread_message_count: 1,
      total_message_count: 1,
      last_message: { parts: [{ body: 'new' }] },
    });
    const { body: messages, headers } = await bob.call('GET', `${path(made)}/messages`, 200);
    expect(messages.map((message: Json) => message.parts[0].body)).toEqual(['new']);
    expect(headers['svc-count']).toBe('1');
  });

  test('leave=true also leaves', async () => {
    const made = await create(ada, { participants: ['bob', 'cem'] });
    await bob.call('DELETE', `${path(made)}?mode=my_devices&leave=true`, 204);
    expect(ids((await ada.call('GET', path(made), 200)).body.participants)).toEqual([ada.uri, cem.uri]);
    await send(bob, made, 'no', 403);
  });

  test('an unknown mode is refused', async () => {
    const made = await create(ada, { participants: ['bob'] });
    expect((await ada.call('DELETE', `${path(made)}?mode=everywhere`, 422)).body).toMatchObject({
      data: { property: 'mode' },
    });
  });
});
