import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange } from '../../support/socket.ts';
import { until } from '../../support/until.ts';
import { ofType, subscribe, waitFor, type Subscribed } from '../../support/webhooks.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let made: Json;
let hook: Subscribed;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  hook = await subscribe(app, ['Message.created', 'Message.deleted', 'Restriction.created']);
});
afterAll(() => hook.receiver.stop());

/** Ada's conversation with Bob, who is under a shadow restriction. */
beforeEach(async () => {
  await lift();
  made = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
});
const shadow = () => app.server('PUT', '/users/bob/restriction', 204, { body: { type: 'shadow' } });
const lift = () => app.server('DELETE', '/users/bob/restriction', 204);
const path = () => `/conversations/${uuidOf(made.id)}`;
const of = ({ id }: { id: string }) => `/messages/${uuidOf(id)}`;
const asServer = ({ id }: { id: string }) => `${path()}/messages/${uuidOf(id)}`;
const steps = (...body: Json[]) => ({ body, headers: { 'content-type': 'application/vnd.svc-patch+json' } });
async function say(user: TestUser, text: string, more: object = {}): Promise<Json> {
  const body = { parts: [textPart(text)], ...more };
  return (await user.call('POST', `${path()}/messages`, 201, { body })).body;
}
async function list(user: TestUser): Promise<Json[]> {
  return (await user.call('GET', `${path()}/messages`, 200)).body;
}
async function read(user: TestUser): Promise<Json> {
  return (await user.call('GET', path(), 200)).body;
}
const texts = (messages: Json[]) => messages.map(({ parts }) => parts[0].body);

describe('a message under a shadow restriction', () => {
  test('is read by its sender and servers alone', async () => {
    await say(ada, 'open');
    await shadow();
    const hidden = await say(bob, 'hidden');
    expect(hidden).not.toHaveProperty('shadowed');
    expect(hidden.recipient_status).toEqual({ [ada.uri]: 'sent', [bob.uri]: 'read' });
    expect(texts(await list(bob))).toEqual(['hidden', 'open']);
    expect(texts(await list(ada))).toEqual(['open']);
    await ada.call('GET', of(hidden), 404);
    await ada.call('POST', `${of(hidden)}/receipts`, 404, { body: { type: 'read' } });
    await ada.call('PUT', `${of(hidden)}/reactions/tada`, 404);
    await ada.call('DELETE', `${of(hidden)}?mode=my_devices`, 404);
    await ada.call('GET', `${path()}/messages?from_id=${encodeURIComponent(hidden.id)}`, 422);
    expect((await bob.call('GET', of(hidden), 200)).body).toEqual(hidden);
    expect((await app.server('GET', asServer(hidden), 200)).body.shadowed).toBe(true);
    const { body } = await app.server('GET', `${path()}/messages`, 200);
    expect(texts(body)).toEqual(['hidden', 'open']);
    expect(await read(ada)).toMatchObject({
      unread_message_count: 0,
      total_message_count: 1,
      last_message: { parts: [{ body: 'open' }] },
    });
    expect(await read(bob)).toMatchObject({
      unread_message_count: 1,
      last_message: { id: hidden.id, is_unread: false },
    });
    expect(await read(bob)).not.toHaveProperty('restriction');
  });

  test('is the last message of its sender where there is no other', async () => {
    await shadow();
    const hidden = await say(bob, 'first');
    expect((await read(bob)).last_message).toEqual(hidden);
    expect((await read(ada)).last_message).toBeNull();
  });

  test('stays hidden when the restriction ends, and from users who are added later', async () => {
    await shadow();
    const hidden = await say(bob, 'hidden');
    await lift();
    await say(bob, 'shown');
    const cem = await app.login('cem');
    await ada.call('PATCH', path(), 204, steps({ operation: 'add', property: 'participants', id: 'cem' }));
    expect(texts(await list(ada))).toEqual(['shown']);
    expect(texts(await list(cem))).toEqual(['shown']);
    expect(texts(await list(bob))).toEqual(['shown', 'hidden']);
    await cem.call('GET', of(hidden), 404);
    expect((await read(ada)).unread_message_count).toBe(1);
  });

  test('comes to the sockets of its sender and to webhooks alone, also in a replay', async () => {
    const since = new Date().toISOString();
    const [bobs, adas] = await Promise.all([bob.connect(), ada.connect()]);
    await shadow();
    const hidden = await say(bob, 'hidden');
    const told = await bobs.waitFor('the message', isChange('create', 'Message', hidden.id));
    expect(told.body.data).not.toHaveProperty('shadowed');
    const isIt = ({ message }: Json) => message.id === hidden.id;
    const { message } = await waitFor(hook, 'the notification', ofType('Message.created', isIt));
    expect(message.shadowed).toBe(true);
    await lift();
    const last = await say(bob, 'last');
    await adas.waitFor('the last message', isChange('create', 'Message', last.id));
    expect(adas.packets.filter(isChange('create', 'Message')).map(({ body }) => body.object.id)).toEqual([
      last.id,
    ]);
    for (const [user, expected] of [
      [ada, [last.id]],
      [bob, [hidden.id, last.id]],
    ] as const) {
      const socket = await user.connect();
      await socket.request('Event.replay', { data: { from_timestamp: since } });
      const replayed = socket.packets.filter(isChange('create', 'Message')).map(({ body }) => body.object.id);
      expect(replayed.filter((id) => id === hidden.id || id === last.id)).toEqual(expected);
      await socket.close();
    }
    await Promise.all([bobs.close(), adas.close()]);
  });

  test('stays sent when others read everything', async () => {
    await say(ada, 'one');
    await shadow();
    const hidden = await say(bob, 'hidden');
    const bobs = await bob.connect();
    await lift();
    const shown = await say(bob, 'shown');
    await ada.call('POST', `${path()}/mark_all_read`, 202);
    await bobs.waitFor('the receipt', isChange('update', 'Message', shown.id));
    const status = async (message: Json) =>
      (await bob.call('GET', of(message), 200)).body.recipient_status[ada.uri];
    expect(await status(hidden)).toBe('sent');
    expect(await status(shown)).toBe('read');
    expect(bobs.packets.filter(({ type }) => type === 'operation')).toEqual([]);
    expect(bobs.packets.filter(isChange('update', 'Message', hidden.id))).toEqual([]);
    await bobs.close();
  });

  test('is edited by its sender, and deleted for servers and for the sender', async () => {
    await shadow();
    const [one, two] = [await say(bob, 'one'), await say(bob, 'two')];
    await bob.call('PUT', `${of(one)}/parts`, 200, { body: [textPart('changed')] });
    await bob.call('PATCH', of(one), 204, steps({ operation: 'set', property: 'metadata.a', value: 'b' }));
    expect((await app.server('GET', asServer(one), 200)).body).toMatchObject({
      parts: [{ body: 'changed' }],
      metadata: { a: 'b' },
    });
    await bob.call('DELETE', `${of(one)}?mode=my_devices`, 204);
    await bob.call('GET', of(one), 404);
    await app.server('GET', asServer(one), 200);
    await bob.call('DELETE', `${of(two)}?mode=all_participants`, 204);
    await app.server('GET', asServer(two), 410);
    expect(await list(bob)).toEqual([]);
    expect(await read(bob)).toMatchObject({ total_message_count: 0, last_message: null });
    await app.server('DELETE', asServer(one), 204);
    expect((await app.server('GET', `${path()}/messages`, 200)).body).toEqual([]);
  });

  test('brings the conversation back for its sender alone', async () => {
    await say(ada, 'before');
    await ada.call('DELETE', `${path()}?mode=my_devices`, 204);
    await shadow();
    await say(bob, 'hidden');
    await ada.call('GET', path(), 404);
    await lift();
    await say(bob, 'shown');
    expect(texts(await list(ada))).toEqual(['shown']);
  });
});

describe('the acts of a user under a shadow restriction', () => {
  test('are answered as usual, and reach nobody', async () => {
    const [theirs, own] = [await say(ada, 'theirs'), await say(bob, 'own')];
    const adas = await ada.connect();
    await shadow();
    const edited = await bob.call('PUT', `${of(own)}/parts`, 200, { body: [textPart('changed')] });
    expect(edited.body[0].body).toBe('changed');
    await bob.call('PATCH', of(own), 204, steps({ operation: 'set', property: 'metadata.a', value: 'b' }));
    await bob.call('PUT', `${of(theirs)}/reactions/tada`, 204);
    await bob.call('PATCH', path(), 204, steps({ operation: 'set', property: 'metadata.a', value: 'b' }));
    const bobs = await bob.connect();
    bobs.signal({ type: 'typing_indicator', object: { id: made.id }, data: { action: 'started' } });
    // Answered on the same socket, and then by the same service: the signal was dropped before.
    await bobs.request('Presence.sync', { data: [{ id: ada.uri }] });
    await say(bob, 'hidden');
    await lift();
    const last = await say(bob, 'last');
    await adas.waitFor('the last message', isChange('create', 'Message', last.id));
    expect(adas.changes('Message').filter(({ operation }) => operation === 'update')).toEqual([]);
    expect(adas.packets.filter(({ type }) => type === 'signal')).toEqual([]);
    const shown = (await ada.call('GET', of(own), 200)).body;
    expect(shown.parts[0].body).toBe('own');
    expect(shown).not.toHaveProperty('metadata');
    expect((await bob.call('GET', of(theirs), 200)).body).not.toHaveProperty('reactions');
    expect((await read(ada)).metadata).toEqual({});
    await Promise.all([adas.close(), bobs.close()]);
  });

  test('do not keep them from adding users, and from leaving', async () => {
    const dan = await app.login('dan');
    await shadow();
    await bob.call('PATCH', path(), 204, steps({ operation: 'add', property: 'participants', id: 'dan' }));
    expect((await read(dan)).participants).toHaveLength(3);
    await bob.call('PATCH', path(), 204, steps({ operation: 'remove', property: 'participants', id: 'ada' }));
    expect((await read(dan)).participants).toHaveLength(3);
    await bob.call('PATCH', path(), 204, steps({ operation: 'remove', property: 'participants', id: 'bob' }));
    expect((await read(dan)).participants).toHaveLength(2);
  });

  test('are announced to webhooks with the restriction', async () => {
    await shadow();
    const told = await waitFor(hook, 'the restriction', ofType('Restriction.created'));
    expect(told).toMatchObject({ restriction: { type: 'shadow', created_by: null }, conversation: null });
  });
});

test('what a user sent under a shadow restriction is erased with the user', async () => {
  const eve = await app.login('eve');
  made = (await eve.call('POST', '/conversations', 201, { body: { participants: ['ada'] } })).body;
  await app.server('PUT', '/users/eve/restriction', 204, { body: { type: 'shadow' } });
  const hidden = await say(eve, 'hidden');
  await app.server('GET', asServer(hidden), 200);
  await app.server('DELETE', '/users/eve', 202);
  await until('it is erased', async () => {
    const { body } = await app.server('GET', `${path()}/messages`, 200);
    return body.length === 0 || undefined;
  });
  const again = await app.login('eve');
  await app.server('PATCH', path(), 204, steps({ operation: 'add', property: 'participants', id: 'eve' }));
  expect(await list(again)).toEqual([]);
  expect(texts([await say(again, 'shown')])).toEqual(['shown']);
  expect(texts(await list(ada))).toEqual(['shown']);
});
