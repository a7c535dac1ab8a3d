import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange } from '../../support/socket.ts';

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

describe('creating', () => {
  test('gives the whole record in the creator’s view', async () => {
    const made = await create(ada, { participants: ['bob', cem.uri], metadata: { topic: { name: 'tea' } } });
    expect(made).toEqual({
      id: expect.stringMatching(/^svc:\/\/\/conversations\/[0-9a-f-]{36}$/),
      url: `${app.baseUrl}${path(made)}`,
      messages_url: `${app.baseUrl}${path(made)}/messages`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      participants: expect.any(Array),
      distinct: false,
      metadata: { topic: { name: 'tea' } },
      last_message: null,
      unread_message_count: 0,
      total_message_count: 0,
    });
    expect(ids(made.participants)).toEqual([ada.uri, bob.uri, cem.uri]);
    const me = made.participants.find(({ id }: { id: string }) => id === ada.uri);
    expect(me).toEqual({
      id: ada.uri,
      url: `${app.baseUrl}/identities/ada`,
      user_id: 'ada',
      display_name: 'ada',
      avatar_url: 'https://a.example/a.png',
    });
  });

  test('an identity that does not exist is invalid', async () => {
    const body = await create(ada, { participants: ['nobody-at-all'] }, 422);
    expect(body).toMatchObject({ id: 'invalid_property', code: 105, data: { property: 'participants' } });
  });

  test('participants are required', async () => {
    expect(await create(ada, {}, 422)).toMatchObject({
      id: 'missing_property',
      code: 104,
      data: { property: 'participants' },
    });
  });

  test.each([[{ a: 1 }], [{ a: ['x'] }], ['x'], [{ a: 'x'.repeat(2048) }]])(
    'metadata must be nested objects of strings, 2048 bytes',
    async (metadata) => {
      expect(await create(ada, { participants: ['bob'], metadata }, 422)).toMatchObject({
        data: { property: 'metadata' },
      });
    },
  );

  test('an id is taken once, and in use afterwards', async () => {
    const id = randomUUID();
    const made = await create(ada, { participants: ['bob'], id });
    expect(made.id).toBe(`svc:///conversations/${id}`);
    const again = await create(ada, { participants: ['bob'], id }, 409);
    expect(again).toMatchObject({ id: 'id_in_use', code: 111, data: { id: made.id } });
    expect((await create(cem, { participants: ['cem'], id }, 409)).data).toBeNull();
  });

  test('an id that is none is invalid_request_id', async () => {
    expect(await create(ada, { participants: ['bob'], id: 'nope' }, 400)).toMatchObject({
      id: 'invalid_request_id',
      code: 3,
    });
  });
});

describe('distinct conversations', () => {
  test('the same participants have one distinct conversation, whichever of them creates it', async () => {
    const made = await create(ada, { participants: ['bob', 'cem'], distinct: true, metadata: { a: 'b' } });
    expect(made.distinct).toBe(true);
    expect((await create(bob, { participants: ['ada', 'cem'], distinct: true }, 200)).id).toBe(made.id);
    expect(
      (await create(bob, { participants: ['ada', 'cem'], distinct: true, metadata: null }, 200)).id,
    ).toBe(made.id);
    expect(
      (await create(bob, { participants: ['ada', 'cem'], distinct: true, metadata: { a: 'b' } }, 200)).id,
    ).toBe(made.id);
    const conflict = await create(
      cem,
      { participants: ['ada', 'bob'], distinct: true, metadata: { a: 'c' } },
      409,
    );
    expect(conflict).toMatchObject({ id: 'conflict', code: 108, data: { id: made.id } });
  });

  test('a hidden conversation comes back without its old messages', async () => {
    const eve = await app.login('eve');
    const made = await create(eve, { participants: ['bob'], distinct: true });
    await send(bob, made);
    await eve.call('DELETE', `${path(made)}?mode=my_devices`, 204);
    await eve.call('GET', path(made), 404);
    const socket = await eve.connect();
    const back = await create(eve, { participants: ['bob'], distinct: true }, 200);
    const shown = { id: made.id, last_message: null, unread_message_count: 0, total_message_count: 0 };
    expect(back).toMatchObject(shown);
    const created = await socket.waitFor('the conversation', isChange('create', 'Conversation', made.id));
    expect(created.body.data).toMatchObject(shown);
    const again = await eve.connect();
    const from_timestamp = new Date(Date.now() - 60_000).toISOString();
    await again.request('Event.replay', { data: { from_timestamp } });
    const kinds = again.changes('Conversation').map(({ operation }) => operation);
    expect(kinds.slice(0, 3)).toEqual(['create', 'delete', 'create']);
  });

  test('a change of participants ends it', async () => {
    const dan = await app.login('dan');
    const made = await create(dan, { participants: ['bob'], distinct: true });
    await patch(dan, made, [{ operation: 'add', property: 'participants', id: cem.uri }]);
    expect((await dan.call('GET', path(made), 200)).body.distinct).toBe(false);
    expect((await create(dan, { participants: ['bob'], distinct: true })).id).not.toBe(made.id);
  });

  test('forty simultaneous requests get the same conversation', async () => {
    const fay = await app.login('fay');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? fay : bob)
          .call('POST', '/conversations', 200, { body: { participants: ['fay', 'bob'], distinct: true } })
          .catch((error: Error) => {
            if (!error.message.includes('got 201')) throw error;
            return (index % 2 ? fay : bob).call('POST', '/conversations', 200, {
              body: { participants: ['fay', 'bob'], distinct: true },
            });
          }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });
});

describe('listing', () => {
  test('newest first by creation or by last message, paged by from_id, counted', async () => {
    const gus = await app.login('gus');
    const made = [];
    for (let index = 0; index < 5; index++)
      made.push(await create(gus, { participants: ['bob'], metadata: { n: String(index) } }));
    const [first] = made;
    await send(gus, first, 'newest');
    const listed = async (query: string) =>
      (await gus.call('GET', `/conversations?${query}`, 200)).body.map((c: Json) => c.metadata.n);
    expect(await listed('')).toEqual(['4', '3', '2', '1', '0']);
    expect(await listed('sort_by=last_message')).toEqual(['0', '4', '3', '2', '1']);
    const page = await gus.call('GET', '/conversations?page_size=2', 200);
    expect(page.headers['svc-count']).toBe('5');
    const next = await gus.call(
      'GET',
      `/conversations?page_size=2&from_id=${encodeURIComponent(page.body[1].id)}`,
      200,
    );
    expect(next.body.map((c: Json) => c.metadata.n)).toEqual(['2', '1']);
    expect(next.headers['svc-count']).toBe('5');
    expect(await listed(`sort_by=last_message&from_id=${uuidOf(first.id)}`)).toEqual(['4', '3', '2', '1']);
    await gus.call('GET', '/conversations?sort_by=colour', 422);
  });
});
