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
  [ada, bob, cem] = await Promise.all([app.login('ada'), app.login('bob'), app.login('cem')]);
});

async function create(user: TestUser, body: object, expected = 201): Promise<Json> {
  return (await user.call('POST', '/conversations', expected, { body })).body;
}
const path = ({ id }: { id: string }) => `/conversations/${uuidOf(id)}`;
const steps = (...body: Json[]) => ({ body, headers: { 'content-type': 'application/vnd.svc-patch+json' } });
async function say(user: TestUser, conversation: Json, expected = 201): Promise<Json> {
  const body = { parts: [textPart('hi')] };
  return (await user.call('POST', `${path(conversation)}/messages`, expected, { body })).body;
}
async function read(user: TestUser, conversation: Json): Promise<Json> {
  return (await user.call('GET', path(conversation), 200)).body;
}
const role = (userId: string, value: string) => ({ operation: 'set', property: `roles.${userId}`, value });
const refused = (reason: string, action: string) => ({ id: 'access_denied', data: { reason, action } });

describe('types', () => {
  test('an application has default alone, with all its keys', async () => {
    const fresh = await createApp(await platform());
    const { body } = await fresh.server('GET', '/types', 200);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      name: 'default',
      create: 'users',
      creator_role: 'member',
      max_participants: null,
    });
    expect(body[0].actions).toMatchObject({ set_roles: ['owner'], edit_any: [] });
    expect(body[0].features).toEqual({
      typing: true,
      receipts: true,
      reactions: true,
      threads: true,
      search: true,
      push: true,
    });
  });

  test('PUT replaces a type, and clients read it with an ETag', async () => {
    await app.server('PUT', '/types/room', 200, { body: { creator_role: 'owner', slow_mode_in_seconds: 3 } });
    const { body } = await app.server('PUT', '/types/room', 200, { body: { actions: { send: ['owner'] } } });
    expect(body).toMatchObject({ name: 'room', creator_role: 'member', slow_mode_in_seconds: 0 });
    const { body: list, headers } = await ada.call('GET', '/types', 200);
    const shown = list.find(({ name }: Json) => name === 'room');
    expect((await app.server('PUT', '/types/room', 200, { body: shown })).body).toEqual(shown);
    await ada.call('GET', '/types', 304, { headers: { 'if-none-match': headers.etag } });
  });

  test.each([
    [{ actions: { fly: ['owner'] } }, 'actions.fly'],
    [{ actions: { send: ['king'] } }, 'actions.send'],
    [{ features: { flight: true } }, 'features.flight'],
    [{ live: true }, 'live'],
    [{ message_retention_in_seconds: 60 }, 'message_retention_in_seconds'],
    [{ max_participants: 0 }, 'max_participants'],
  ])('a wrong type is refused: %j', async (body, property) => {
    expect((await app.server('PUT', '/types/wrong', 422, { body })).body).toMatchObject({
      data: { property },
    });
  });

  test('a type that a conversation has is not deleted', async () => {
    await app.server('PUT', '/types/kept', 200, { body: {} });
    const made = await create(ada, { participants: ['bob'], type: 'kept' });
    expect((await app.server('DELETE', '/types/kept', 422)).body.id).toBe('invalid_operation');
    await app.server('DELETE', path(made), 204);
    await app.server('DELETE', '/types/kept', 204);
    await app.server('DELETE', '/types/kept', 204);
  });

  test('there are at most 50, and default is none of them', async () => {
    const fresh = await createApp(await platform());
    for (let index = 0; index < 50; index++) await fresh.server('PUT', `/types/t${index}`, 200, { body: {} });
    const { body } = await fresh.server('PUT', '/types/more', 422, { body: {} });
    expect(body).toMatchObject({ id: 'invalid_operation', data: { property: 'types', limit: 50 } });
    await fresh.server('PUT', '/types/default', 200, { body: { push_level: 'none' } });
    await fresh.server('PUT', '/types/t0', 200, { body: { push_level: 'none' } });
  });

  test('distinct conversations are distinct within their type', async () => {
    await app.server('PUT', '/types/deal', 200, { body: {} });
    const plain = await create(ada, { participants: ['cem'], distinct: true });
    const deal = await create(ada, { participants: ['cem'], distinct: true, type: 'deal' });
    expect(deal).toMatchObject({ type: 'deal', distinct: true });
    expect(plain).not.toHaveProperty('type');
    expect((await create(cem, { participants: ['ada'], distinct: true, type: 'deal' }, 200)).id).toBe(
      deal.id,
    );
    expect((await create(cem, { participants: ['ada'], distinct: true, type: 'default' }, 200)).id).toBe(
      plain.id,
    );
    const { body } = await ada.call('POST', '/conversations', 422, {
      body: { participants: [], type: 'none' },
    });
    expect(body.data.property).toBe('type');
  });

  test('a type may leave creating to servers, and bound the participants', async () => {
    await app.server('PUT', '/types/hall', 200, { body: { create: 'servers', max_participants: 2 } });
    expect(await create(ada, { participants: [], type: 'hall' }, 403)).toMatchObject(
      refused('type', 'create'),
    );
    const body = { participants: ['ada', 'bob'], type: 'hall', roles: { [ada.uri]: 'owner' } };
    const made = (await app.server('POST', '/conversations', 201, { body })).body;
    expect(made.roles).toEqual({ [ada.uri]: 'owner' });
    const add = steps({ operation: 'add', property: 'participants', id: 'cem' });
    expect((await ada.call('PATCH', path(made), 422, add)).body.data.property).toBe('participants');
  });
});

describe('roles', () => {
  let made: Json;
  beforeAll(async () => {
    await app.server('PUT', '/types/channel', 200, {
      body: {
        creator_role: 'owner',
        actions: { remove_participants: ['owner', 'moderator'], delete_any: ['moderator'] },
      },
    });
  });
  beforeEach(async () => {
    made = await create(ada, { participants: ['bob', 'cem'], type: 'channel' });
  });

  test('the creator has the role of the type, and everybody reads what they may do', async () => {
    expect(made).toMatchObject({ type: 'channel', roles: { [ada.uri]: 'owner' } });
    expect(made.permissions).toContain('set_roles');
    const { permissions } = await read(bob, made);
    expect(permissions).toContain('send');
    expect(permissions).not.toContain('remove_participants');
    const list = (await bob.call('GET', '/conversations', 200)).body;
    const listed = list.find(({ id }: Json) => id === made.id);
    expect(listed).toMatchObject({ type: 'channel', roles: { [ada.uri]: 'owner' } });
    expect(listed).not.toHaveProperty('permissions');
  });

  test('a member cannot remove others, but leaves', async () => {
    const remove = (id: string) => steps({ operation: 'remove', property: 'participants', id });
    const { body } = await bob.call('PATCH', path(made), 403, remove('cem'));
    expect(body).toMatchObject(refused('role', 'remove_participants'));
    await bob.call('PATCH', path(made), 204, remove('bob'));
  });

  test('a role is set and told, ends by leaving, and outranks', async () => {
    const socket = await cem.connect();
    await ada.call('PATCH', path(made), 204, steps(role('bob', 'moderator')));
    const told = await socket.waitFor('the change', isChange('update', 'Conversation', made.id));
    expect(told.body.data).toEqual([{ operation: 'set', property: `roles.${bob.uri}`, value: 'moderator' }]);
    await socket.close();
    const removal = steps({ operation: 'remove', property: 'participants', id: 'ada' });
    expect((await bob.call('PATCH', path(made), 403, removal)).body).toMatchObject(
      refused('role', 'remove_participants'),
    );
    expect((await bob.call('PATCH', path(made), 403, steps(role('cem', 'owner')))).body).toMatchObject(
      refused('role', 'set_roles'),
    );
    await bob.call(
      'PATCH',
      path(made),
      204,
      steps({ operation: 'remove', property: 'participants', id: 'bob' }),
    );
    await ada.call(
      'PATCH',
      path(made),
      204,
      steps({ operation: 'add', property: 'participants', id: 'bob' }),
    );
    expect((await read(ada, made)).roles).toEqual({ [ada.uri]: 'owner' });
  });

  test('an observer reads, and does nothing else', async () => {
    const message = await say(bob, made);
    await app.server('PATCH', path(made), 204, steps(role('bob', 'observer')));
    expect(await say(bob, made, 403)).toMatchObject(refused('role', 'send'));
    const meta = steps({ operation: 'set', property: 'metadata.a', value: 'b' });
    expect((await bob.call('PATCH', path(made), 403, meta)).body).toMatchObject(
      refused('role', 'patch_metadata'),
    );
    const own = `/messages/${uuidOf(message.id)}`;
    expect((await bob.call('DELETE', `${own}?mode=all_participants`, 403)).body).toMatchObject(
      refused('role', 'delete_own'),
    );
    const parts = { body: [textPart('changed')] };
    expect((await bob.call('PUT', `${own}/parts`, 403, parts)).body).toMatchObject({
      id: 'permission_denied',
      data: { reason: 'role', action: 'edit_own' },
    });
    expect((await bob.call('PATCH', own, 403, meta)).body).toMatchObject(refused('role', 'edit_own'));
    const reaction = `${own}/reactions/tada`;
    expect((await bob.call('PUT', reaction, 403)).body).toMatchObject(refused('role', 'react'));
    expect((await bob.call('DELETE', `${path(made)}?mode=all_participants`, 403)).body).toMatchObject(
      refused('role', 'delete_conversation'),
    );
    await bob.call('DELETE', `${own}?mode=my_devices`, 204);
    await bob.call('POST', `${path(made)}/mark_all_read`, 202);
    expect((await read(bob, made)).permissions).toEqual([]);
  });

  test('others delete messages only as the type says', async () => {
    const message = await say(bob, made);
    const address = `/messages/${uuidOf(message.id)}?mode=all_participants`;
    expect((await cem.call('DELETE', address, 403)).body).toMatchObject(refused('role', 'delete_any'));
    await bob.call('DELETE', address, 204);
  });

  test('roles are of participants, and users give none at creation', async () => {
    const fresh = await app.login('dan');
    expect(
      (await ada.call('PATCH', path(made), 422, steps(role(fresh.id, 'owner')))).body.data.property,
    ).toBe('roles');
    const body = { participants: ['bob'], roles: { bob: 'owner' } };
    expect((await ada.call('POST', '/conversations', 422, { body })).body.data.property).toBe('roles');
  });

  test('a change of the type holds for the next message, also of a sender whose state is cached', async () => {
    await say(bob, made);
    await say(bob, made);
    await app.server('PUT', '/types/channel', 200, {
      body: { creator_role: 'owner', actions: { send: ['owner'] } },
    });
    expect(await say(bob, made, 403)).toMatchObject(refused('role', 'send'));
    await say(ada, made);
    await app.server('PUT', '/types/channel', 200, { body: { creator_role: 'owner' } });
    await say(bob, made);
  });

  test('a change of default holds for conversations that have no type', async () => {
    const fresh = await createApp(await platform());
    const [one] = await Promise.all([fresh.login('one'), fresh.login('two')]);
    const plain = await create(one, { participants: ['two'] });
    await say(one, plain);
    await say(one, plain);
    await fresh.server('PUT', '/types/default', 200, { body: { actions: { send: [] } } });
    expect(await say(one, plain, 403)).toMatchObject(refused('role', 'send'));
    const { permissions } = await create(one, { participants: ['two'], distinct: false });
    expect(permissions).toContain('react');
    expect(permissions).not.toContain('send');
    await fresh.server('DELETE', '/types/default', 204);
    await say(one, plain);
    expect(await read(one, plain)).not.toHaveProperty('permissions');
  });
});
