import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { attempt } from '../../support/mixed-work.ts';
import { platform } from '../../support/platform.ts';
import { isChange } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let made: Json;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});
beforeEach(async () => {
  const body = { participants: ['ada', 'bob'], roles: { ada: 'owner' } };
  made = (await app.server('POST', '/conversations', 201, { body })).body;
});

const path = () => `/conversations/${uuidOf(made.id)}`;
const step = (property: string, value: unknown) => ({
  body: [{ operation: 'set', property, value }],
  headers: { 'content-type': 'application/vnd.svc-patch+json' },
});
const read = async (user: TestUser): Promise<Json> => (await user.call('GET', path(), 200)).body;

test('one role that is set many times at once is a change for each value, and all see the last one', async () => {
  const socket = await bob.connect();
  const roles = ['moderator', 'observer', 'member', 'moderator'];
  const many = Array.from({ length: 24 }, (_, index) => roles[index % roles.length]);
  await Promise.all(many.map((value) => ada.call('PATCH', path(), 204, step('roles.bob', value))));
  await app.server('PATCH', path(), 204, step('metadata.end', 'x'));
  const isEnd = ({ body }: { body: Json }) =>
    body.object?.id === made.id && body.data?.[0]?.property === 'metadata.end';
  await socket.waitFor('the end', isEnd);
  const told = socket.packets
    .filter(isChange('update', 'Conversation', made.id))
    .flatMap(({ body }) => body.data as Json[])
    .filter(({ property }) => property === `roles.${bob.uri}`)
    .map(({ operation, value }) => (operation === 'set' ? value : 'member'));
  for (const [index, value] of told.entries()) expect(value).not.toBe(told[index - 1] ?? 'member');
  const last = told.at(-1) ?? 'member';
  expect((await read(ada)).roles[bob.uri] ?? 'member').toBe(last);
  expect((await read(bob)).roles[bob.uri] ?? 'member').toBe(last);
  await socket.close();
});

describe.each([
  ['mute', () => ada.call('PUT', `${path()}/restrictions/bob`, 204, { body: { type: 'mute' } })],
  [
    'mute in the application',
    () => app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'mute' } }),
  ],
  ['freeze', () => ada.call('PATCH', path(), 204, step('frozen', true))],
  ['loss of the role', () => ada.call('PATCH', path(), 204, step('roles.bob', 'observer'))],
])('a %s', (_name, forbid) => {
  afterEach(() => app.server('DELETE', '/users/bob/restriction', 204));

  test.each([0, 6, 18])('stops the messages of a user who is sending, after %i of them', async (before) => {
    let answered = 0;
    let forbidden = false;
    const late: number[] = [];
    const post = async (): Promise<void> => {
      for (let index = 0; index < 10; index += 1) {
        const startedAfter = forbidden;
        const { status } = await attempt(bob, 'POST', `${path()}/messages`, { parts: [textPart('hi')] });
        answered += 1;
        if (startedAfter) late.push(status);
        expect([201, 403]).toContain(status);
      }
    };
    const posting = Array.from({ length: 6 }, post);
    await until(`${before} messages are answered`, () => answered >= before || undefined);
    await forbid();
    forbidden = true;
    const { headers } = await ada.call('GET', `${path()}/messages`, 200);
    await Promise.all(posting);
    expect(late.every((status) => status === 403)).toBe(true);
    const after = await ada.call('GET', `${path()}/messages`, 200);
    expect(after.headers['svc-count']).toBe(headers['svc-count']);
  });
});

test('nobody sees what a user sends after a shadow restriction is answered', async () => {
  let shadowed = false;
  const late: string[] = [];
  const post = async (): Promise<void> => {
    for (let index = 0; index < 10; index += 1) {
      const startedAfter = shadowed;
      const { status, body } = await attempt(bob, 'POST', `${path()}/messages`, { parts: [textPart('hi')] });
      expect(status).toBe(201);
      if (startedAfter) late.push(body.id);
    }
  };
  const socket = await ada.connect();
  const posting = Array.from({ length: 6 }, post);
  await app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'shadow' } });
  shadowed = true;
  await Promise.all(posting);
  await app.server('DELETE', '/users/bob/restriction', 204);
  const { body: last } = await bob.call('POST', `${path()}/messages`, 201, {
    body: { parts: [textPart('end')] },
  });
  await socket.waitFor('the end', isChange('create', 'Message', last.id));
  const told = socket.packets.filter(isChange('create', 'Message')).map(({ body }) => body.object.id);
  const { body: listed, headers } = await ada.call('GET', `${path()}/messages`, 200);
  expect(late.length).toBeGreaterThan(0);
  expect(late.filter((id) => told.includes(id) || listed.some((one: Json) => one.id === id))).toEqual([]);
  expect(told.toSorted()).toEqual(listed.map(({ id }: Json) => id).toSorted());
  expect(headers['svc-count']).toBe(String(listed.length));
  expect((await read(ada)).unread_message_count).toBe(listed.length);
  expect((await bob.call('GET', `${path()}/messages`, 200)).body).toHaveLength(61);
  await socket.close();
});

test('a ban and the adding of the user at once leave nobody who is banned', async () => {
  for (let round = 0; round < 6; round += 1) {
    const add = { ...step('', ''), body: [{ operation: 'add', property: 'participants', id: 'bob' }] };
    await Promise.all([
      app.server('PUT', `${path()}/restrictions/bob`, 204, { body: { type: 'ban' } }),
      attempt(ada, 'PATCH', path(), add.body),
      attempt(ada, 'PATCH', path(), add.body),
    ]);
    expect((await read(ada)).participants.map(({ user_id }: Json) => user_id)).toEqual(['ada']);
    await app.server('DELETE', `${path()}/restrictions/bob`, 204);
    await app.server('PATCH', path(), 204, add);
  }
});

test('the same reaction of many users, each several times at once, counts each of them once', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, (_, index) => app.login(`fan-${index}`)));
  for (const { id } of users) {
    const add = { body: [{ operation: 'add', property: 'participants', id }] };
    await app.server('PATCH', path(), 204, { ...step('', ''), ...add });
  }
  const message = (await ada.call('POST', `${path()}/messages`, 201, { body: { parts: [textPart('hi')] } }))
    .body;
  const at = `/messages/${uuidOf(message.id)}/reactions/tada`;
  await Promise.all(users.flatMap((user) => [1, 2, 3, 4].map(() => user.call('PUT', at, 204))));
  const shown = async () => (await ada.call('GET', `/messages/${uuidOf(message.id)}`, 200)).body.reactions;
  expect((await shown()).tada.count).toBe(users.length);
  await Promise.all(users.flatMap((user) => [user.call('PUT', at, 204), user.call('DELETE', at, 204)]));
  const { body: left } = await ada.call('GET', `/messages/${uuidOf(message.id)}/reactions`, 200);
  expect((await shown())?.tada?.count ?? 0).toBe(left.length);
});
