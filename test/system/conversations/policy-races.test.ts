import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { attempt } from '../../support/mixed-work.ts';
import { platform } from '../../support/platform.ts';
import { hasStep, isChange, type Packet } from '../../support/socket.ts';
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
  const isEnd = (packet: Packet) =>
    packet.body.object?.id === made.id && hasStep(packet, ({ property }) => property === 'metadata.end');
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

/**
 * Messages that Bob sends on six connections while something is done after `before` answers; each connection ends after three
 * that it sent when that was answered. `act` returns what it saw then.
 */
async function sendBeside<T>(before: number, act: () => Promise<T>) {
  let isDone = false;
  const answers: { status: number; id: string; isLate: boolean }[] = [];
  const post = async (): Promise<void> => {
    for (let late = 0; late < 3;) {
      const isLate = isDone;
      const { status, body } = await attempt(bob, 'POST', `${path()}/messages`, { parts: [textPart('hi')] });
      answers.push({ status, id: body.id, isLate });
      if (isLate) late += 1;
    }
  };
  const posting = Promise.all(Array.from({ length: 6 }, post));
  await until(`${before} messages are answered`, () => answers.length >= before || undefined);
  const seen = await act();
  isDone = true;
  await posting;
  return { seen, answers, late: answers.filter(({ isLate }) => isLate) };
}

const countMessages = async () =>
  Number((await ada.call('GET', `${path()}/messages`, 200)).headers['svc-count']);

// One of the whole application waits for no conversation: what is under way is stored.
describe.each([
  ['mute', true, () => ada.call('PUT', `${path()}/restrictions/bob`, 204, { body: { type: 'mute' } })],
  [
    'mute in the application',
    false,
    () => app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'mute' } }),
  ],
  ['freeze', true, () => ada.call('PATCH', path(), 204, step('frozen', true))],
  ['loss of the role', true, () => ada.call('PATCH', path(), 204, step('roles.bob', 'observer'))],
])('a %s', (_name, isOfConversation, forbid) => {
  afterEach(() => app.server('DELETE', '/users/bob/restriction', 204));

  test.each([0, 6, 18])('stops the messages of a user who is sending, after %i of them', async (before) => {
    const { seen, answers, late } = await sendBeside(before, async () => {
      await forbid();
      return countMessages();
    });
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 403));
    const sent = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(answers.length - sent.length);
    expect(await countMessages()).toBe(sent.length);
    if (isOfConversation) expect(seen).toBe(sent.length);
  });
});

test('nobody sees what a user sends after a shadow restriction is answered', async () => {
  const socket = await ada.connect();
  const { answers, late } = await sendBeside(0, () =>
    app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'shadow' } }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  await app.server('DELETE', '/users/bob/restriction', 204);
  const { body: last } = await bob.call('POST', `${path()}/messages`, 201, {
    body: { parts: [textPart('end')] },
  });
  await socket.waitFor('the end', isChange('create', 'Message', last.id));
  const told = socket.packets
    .filter(isChange('create', 'Message'))
    .filter(({ body }) => body.data.conversation.id === made.id)
    .map(({ body }) => body.object.id);
  const { body: listed } = await ada.call('GET', `${path()}/messages?page_size=100`, 200);
  const hidden = new Set(late.map(({ id }) => id));
  expect(listed.filter(({ id }: Json) => hidden.has(id))).toEqual([]);
  expect(told.toSorted()).toEqual(listed.map(({ id }: Json) => id).toSorted());
  expect(await countMessages()).toBe(listed.length);
  expect((await read(ada)).unread_message_count).toBe(listed.length);
  const own = await bob.call('GET', `${path()}/messages?page_size=1`, 200);
  expect(own.headers['svc-count']).toBe(String(answers.length + 1));
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
