import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
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
  const body = { participants: ['ada', 'bob'], roles: { ada: 'moderator' } };
  made = (await app.server('POST', '/conversations', 201, { body })).body;
});

const path = ({ id }: { id: string }) => `/conversations/${uuidOf(id)}`;
const steps = (...body: Json[]) => ({ body, headers: { 'content-type': 'application/vnd.svc-patch+json' } });
const set = (property: string, value: unknown) => steps({ operation: 'set', property, value });
async function say(user: TestUser, expected = 201): Promise<Json> {
  const body = { parts: [textPart('hi')] };
  return (await user.call('POST', `${path(made)}/messages`, expected, { body })).body;
}
async function read(user: TestUser): Promise<Json> {
  return (await user.call('GET', path(made), 200)).body;
}
const LATER = '2100-01-01T00:00:00.000Z';

describe('a frozen conversation', () => {
  test('is written by those alone who may send when it is frozen', async () => {
    await say(bob);
    const socket = await bob.connect();
    await ada.call('PATCH', path(made), 204, set('frozen', true));
    const told = await socket.waitFor('the change', isChange('update', 'Conversation', made.id));
    const frozen = { at: expect.any(String), by: ada.uri };
    expect(told.body.data).toEqual([{ operation: 'set', property: 'frozen', value: frozen }]);
    expect((await read(bob)).frozen).toEqual(frozen);
    expect(await say(bob, 403)).toMatchObject({
      id: 'access_denied',
      data: { reason: 'frozen', action: 'send' },
    });
    await say(ada);
    await ada.call('PATCH', path(made), 204, set('frozen', false));
    const isEnd = ({ operation, property }: Json) => operation === 'delete' && property === 'frozen';
    await socket.waitFor(
      'the end',
      (packet) =>
        isChange('update', 'Conversation', made.id)(packet) && (packet.body.data as Json[]).some(isEnd),
    );
    await say(bob);
    expect(await read(bob)).not.toHaveProperty('frozen');
    await socket.close();
  });

  test('is frozen by roles that may', async () => {
    const { body } = await bob.call('PATCH', path(made), 403, set('frozen', true));
    expect(body.data).toMatchObject({ reason: 'role', action: 'freeze' });
  });
});

describe('a mute', () => {
  const mute = (body: Json = { type: 'mute', until: LATER, reason: 'Off topic' }) =>
    ada.call('PUT', `${path(made)}/restrictions/bob`, 204, { body });

  test('keeps the user from writing, who alone is told', async () => {
    const message = await say(bob);
    const [own, other] = await Promise.all([bob.connect(), ada.connect()]);
    await mute();
    const told = await own.waitFor('the change', isChange('update', 'Conversation', made.id));
    const shown = { type: 'mute', until: LATER, reason: 'Off topic', scope: 'conversation' };
    expect(told.body.data).toEqual([{ operation: 'set', property: 'restriction', value: shown }]);
    expect((await read(bob)).restriction).toEqual(shown);
    expect(await read(ada)).not.toHaveProperty('restriction');
    expect(await say(bob, 403)).toMatchObject({ data: { reason: 'muted', action: 'send', until: LATER } });
    const parts = { body: [textPart('changed')] };
    const { body } = await bob.call('PUT', `/messages/${uuidOf(message.id)}/parts`, 403, parts);
    expect(body).toMatchObject({ id: 'permission_denied', data: { reason: 'muted', action: 'edit_own' } });
    const reaction = `/messages/${uuidOf(message.id)}/reactions/tada`;
    expect((await bob.call('PUT', reaction, 403)).body).toMatchObject({
      id: 'access_denied',
      data: { reason: 'muted', action: 'react', until: LATER },
    });
    const meta = set('metadata.a', 'b');
    expect((await bob.call('PATCH', `/messages/${uuidOf(message.id)}`, 403, meta)).body.data).toMatchObject({
      reason: 'muted',
      action: 'edit_own',
    });
    await ada.call('DELETE', `${path(made)}/restrictions/bob`, 204);
    await ada.call('DELETE', `${path(made)}/restrictions/bob`, 204);
    await say(bob);
    await other.waitFor('the change', isChange('create', 'Message'));
    expect(
      other.packets.filter(isChange('update', 'Conversation', made.id)).flatMap(({ body: one }) => one.data),
    ).not.toContainEqual(expect.objectContaining({ property: 'restriction' }));
    await Promise.all([own.close(), other.close()]);
  });

  test('is listed for those who may restrict', async () => {
    await mute({ type: 'mute' });
    const { body } = await ada.call('GET', `${path(made)}/restrictions`, 200);
    expect(body).toEqual([
      {
        user: expect.objectContaining({ user_id: 'bob' }),
        type: 'mute',
        until: null,
        reason: null,
        created_by: ada.uri,
        created_at: expect.any(String),
      },
    ]);
    const denied = (await bob.call('GET', `${path(made)}/restrictions`, 403)).body;
    expect(denied.data).toMatchObject({ reason: 'role', action: 'restrict' });
    await app.server('GET', `${path(made)}/restrictions`, 200);
  });

  test.each([
    [{ type: 'kick' }, 'type'],
    [{ type: 'mute', until: '2020-01-01T00:00:00.000Z' }, 'until'],
    [{ type: 'mute', reason: 'x'.repeat(257) }, 'reason'],
  ])('with a wrong value is refused: %j', async (body, property) => {
    const answer = await ada.call('PUT', `${path(made)}/restrictions/bob`, 422, { body });
    expect(answer.body.data.property).toBe(property);
  });

  test('comes from a socket as well', async () => {
    const socket = await ada.connect();
    const object = { object_id: made.id };
    const answer = await socket.request('Restriction.create', {
      ...object,
      data: { user_id: 'bob', type: 'mute' },
    });
    expect(answer).toMatchObject({ success: true, data: {} });
    await say(bob, 403);
    await socket.request('Restriction.delete', { ...object, data: { user_id: 'bob' } });
    await say(bob);
    await socket.close();
  });
});

test('a user who takes no part neither reads nor makes restrictions', async () => {
  const eve = await app.login('eve');
  await eve.call('GET', `${path(made)}/restrictions`, 404);
  await eve.call('PUT', `${path(made)}/restrictions/bob`, 404, { body: { type: 'mute' } });
  await ada.call('PUT', `${path(made)}/restrictions/nobody`, 404, { body: { type: 'mute' } });
});

test('a ban removes the user, and nobody adds them while it holds', async () => {
  await ada.call('PUT', `${path(made)}/restrictions/bob`, 204, { body: { type: 'ban' } });
  expect((await read(ada)).participants).toHaveLength(1);
  expect(await say(bob, 403)).toMatchObject({ data: { reason: 'banned', action: 'send' } });
  const add = steps({ operation: 'add', property: 'participants', id: 'bob' });
  for (const { body } of [
    await app.server('PATCH', path(made), 422, add),
    await ada.call('PATCH', path(made), 422, add),
  ])
    expect(body.data).toMatchObject({ property: 'participants', reason: 'banned' });
  expect((await bob.call('PATCH', path(made), 403, add)).body.data).toMatchObject({
    reason: 'banned',
    action: 'add_participants',
  });
  await ada.call('DELETE', `${path(made)}/restrictions/bob`, 204);
  expect((await read(ada)).participants).toHaveLength(1);
  await app.server('PATCH', path(made), 204, add);
  await say(bob);
});

test('slow mode lets a member send once in a while, and moderators and servers always', async () => {
  await ada.call('PATCH', path(made), 204, set('slow_mode_in_seconds', 3600));
  expect((await read(bob)).slow_mode_in_seconds).toBe(3600);
  await say(bob);
  const { headers, body } = await bob.call('POST', `${path(made)}/messages`, 429, {
    body: { parts: [textPart('hi')] },
  });
  expect(body).toMatchObject({ id: 'rate_limit_exceeded', data: { policy: 'slow_mode' } });
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
  await say(ada);
  await say(ada);
  await app.server('POST', `${path(made)}/messages`, 201, {
    body: { sender_id: 'bob', parts: [textPart('hi')] },
  });
  expect((await bob.call('PATCH', path(made), 403, set('slow_mode_in_seconds', 0))).body.data).toMatchObject({
    reason: 'role',
    action: 'restrict',
  });
  await ada.call('PATCH', path(made), 204, set('slow_mode_in_seconds', 0));
  await say(bob);
  expect(await read(bob)).not.toHaveProperty('slow_mode_in_seconds');
});

test('a mute in the application holds in every conversation, at once', async () => {
  await say(bob);
  await say(bob);
  await app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'mute', until: LATER } });
  expect(await say(bob, 403)).toMatchObject({ data: { reason: 'muted', until: LATER } });
  expect((await read(bob)).restriction).toMatchObject({ type: 'mute', scope: 'app' });
  await app.server('PUT', '/users/bob/restriction', 422, { body: { type: 'ban' } });
  await app.server('DELETE', '/users/bob/restriction', 204);
  await say(bob);
  await app.server('PUT', '/users/nobody/restriction', 404, { body: { type: 'mute' } });
});

test('a mute in the application that ends later is told instead of the one that is set or ended', async () => {
  const socket = await bob.connect();
  await app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'mute', reason: 'Everywhere' } });
  const told = (): Json[] =>
    socket.packets
      .filter(isChange('update', 'Conversation', made.id))
      .flatMap(({ body }) => body.data as Json[])
      .filter(({ property }) => property === 'restriction');
  const shown = { type: 'mute', until: null, reason: 'Everywhere', scope: 'app' };
  const expected = { operation: 'set', property: 'restriction', value: shown };
  const body = { type: 'mute', until: LATER, reason: 'Here' };
  await ada.call('PUT', `${path(made)}/restrictions/bob`, 204, { body });
  await until('the mute', () => told().length === 1 || undefined);
  expect((await read(bob)).restriction).toEqual(shown);
  await ada.call('DELETE', `${path(made)}/restrictions/bob`, 204);
  await until('its end', () => told().length === 2 || undefined);
  expect(told()).toEqual([expected, expected]);
  await app.server('DELETE', '/users/bob/restriction', 204);
  await socket.close();
});
