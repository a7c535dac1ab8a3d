import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { hasStep, isChange, type Packet, type TestSocket } from '../../support/socket.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
let path: string;
const open: TestSocket[] = [];

/** Each test has an application of its own, since some suspend it. */
beforeEach(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
  path = `/conversations/${uuidOf(conversation.id)}`;
});
afterEach(async () => {
  for (const socket of open.splice(0)) if (!socket.closed) await socket.close();
});

async function connect(user: TestUser): Promise<TestSocket> {
  const socket = await user.connect();
  open.push(socket);
  return socket;
}
async function say(user: TestUser, text: string): Promise<Json> {
  return (await user.call('POST', `${path}/messages`, 201, { body: { parts: [textPart(text)] } })).body;
}
const steps = (...body: Json[]) => ({ body, headers: { 'content-type': 'application/vnd.svc-patch+json' } });
const member = (operation: 'add' | 'remove') => steps({ operation, property: 'participants', id: 'bob' });

describe('state whose owner cannot end it any more', () => {
  type Ending = {
    name: string;
    end(): Promise<unknown>;
    /** Undefined: none is shown. */
    unread: number | undefined;
    waiting: number | 'gone';
    /** Whether the participants who stay are told that the user stopped typing. */
    endsTyping: boolean;
    /** Brings the user back, and says what is unread for them then. */
    back?: () => Promise<unknown>;
    unreadAgain?: number;
  };
  const suspend = (value: boolean) =>
    app.server('PATCH', '/users/bob', 202, steps({ operation: 'set', property: 'suspended', value }));
  const endings: Ending[] = [
    {
      name: 'is removed',
      end: () => ada.call('PATCH', path, 204, member('remove')),
      ...{ unread: 0, waiting: 0, endsTyping: true },
      back: () => ada.call('PATCH', path, 204, member('add')),
      unreadAgain: 2,
    },
    {
      name: 'leaves',
      end: () => bob.call('PATCH', path, 204, member('remove')),
      ...{ unread: 0, waiting: 0, endsTyping: true },
      back: () => app.server('PATCH', path, 204, member('add')),
      unreadAgain: 2,
    },
    {
      name: 'leaves and hides it',
      end: () => bob.call('DELETE', `${path}?mode=my_devices&leave=true`, 204),
      ...{ unread: 0, waiting: 0, endsTyping: true },
      back: () => ada.call('PATCH', path, 204, member('add')),
      unreadAgain: 0,
    },
    {
      name: 'is suspended',
      end: () => suspend(true),
      ...{ unread: 2, waiting: 1, endsTyping: true },
      back: () => suspend(false),
      unreadAgain: 2,
    },
    {
      name: 'is erased',
      end: () => app.server('DELETE', '/users/bob', 202),
      ...{ unread: undefined, waiting: 0, endsTyping: true },
    },
    {
      name: 'loses the identity',
      end: () => app.server('DELETE', '/users/bob/identity', 204),
      ...{ unread: undefined, waiting: 1, endsTyping: true },
    },
    {
      name: 'has the conversation deleted',
      end: () => ada.call('DELETE', `${path}?mode=all_participants`, 204),
      ...{ unread: 0, waiting: 'gone', endsTyping: false },
    },
    {
      name: 'has the application suspended, and resumed later',
      async end() {
        await app.admin('SuspendApp', { app_uuid: app.appUuid });
        await bob.call('GET', '/conversations', 403);
        await app.admin('ResumeApp', { app_uuid: app.appUuid });
      },
      ...{ unread: 2, waiting: 1, endsTyping: false },
    },
  ];

  test.each(endings)('of a user who $name ends, or waits for them', async (ending) => {
    for (const text of ['one', 'two']) await say(ada, text);
    const message = { sender_id: 'bob', parts: [textPart('later')], schedule: { delay_in_seconds: 300 } };
    await app.server('POST', `${path}/messages`, 202, { body: message });
    const [adas, bobs] = [await connect(ada), await connect(bob)];
    const object = { type: 'Conversation', id: conversation.id };
    bobs.signal({ type: 'typing_indicator', object, data: { action: 'started' } });
    await adas.waitFor('typing', isTyping('started'));
    await expectBadge(2);

    await ending.end();
    await expectBadge(ending.unread);
    if (ending.waiting === 'gone') await app.server('GET', `${path}/scheduled_messages`, 410);
    else
      expect((await app.server('GET', `${path}/scheduled_messages`, 200)).body).toHaveLength(ending.waiting);
    if (ending.endsTyping) await adas.waitFor('the end of typing', isTyping('finished'), 30_000);
    if (!ending.back) return;
    await ending.back();
    await expectBadge(ending.unreadAgain);
  });

  function isTyping(action: string) {
    return ({ type, body }: Packet): boolean => type === 'signal' && body.data.action === action;
  }

  /** Undefined: the user does not exist. */
  async function expectBadge(unread: number | undefined): Promise<void> {
    const { body } = await app.server('GET', '/users/bob/badge', unread === undefined ? 404 : 200);
    if (unread !== undefined) expect(body.unread_message_count).toBe(unread);
  }
});

test('a removed user has nothing unread, by REST, at once on their socket and in a replay, and has it again when they are back', async () => {
  const bobs = await connect(bob);
  const first = await say(ada, 'one');
  await bobs.waitFor('create Message', isChange('create', 'Message', first.id));
  const from_timestamp = bobs.packets.at(-1)!.timestamp;
  await ada.call('PATCH', path, 204, member('remove'));
  const isRemoval = (packet: Packet): boolean =>
    isChange('update', 'Conversation', conversation.id)(packet) &&
    hasStep(packet, ({ property }) => property === 'participants');
  const expected = expect.arrayContaining([
    { operation: 'remove', property: 'participants', id: bob.uri },
    { operation: 'set', property: 'unread_message_count', value: 0 },
  ]);
  expect((await bobs.waitFor('the removal', isRemoval)).body.data).toEqual(expected);
  const again = await connect(bob);
  await again.request('Event.replay', { data: { from_timestamp } });
  expect((await again.waitFor('the removal', isRemoval)).body.data).toEqual(expected);
  const { body: shown } = await bob.call('GET', path, 200);
  expect(shown).toMatchObject({ unread_message_count: 0, last_message: { id: first.id, is_unread: false } });
  await bob.call('POST', `/messages/${uuidOf(first.id)}/receipts`, 403, { body: { type: 'read' } });
  await ada.call('PATCH', path, 204, member('add'));
  expect((await bob.call('GET', path, 200)).body.unread_message_count).toBe(1);
  await bob.call('POST', `/messages/${uuidOf(first.id)}/receipts`, 204, { body: { type: 'read' } });
  expect((await bob.call('GET', path, 200)).body.unread_message_count).toBe(0);
});

describe('a removed user', () => {
  const topic = (value: string) =>
    ada.call('PATCH', path, 204, steps({ operation: 'set', property: 'metadata.topic', value }));
  const rewrite = (message: Json, ...parts: Json[]) =>
    ada.call('PUT', `/messages/${uuidOf(message.id)}/parts`, 200, { body: parts });

  test('reads the messages and metadata of when they left, by every path, also where a server acts as them', async () => {
    await topic('before');
    const message = await say(ada, 'first');
    const [part] = message.parts;
    await ada.call('PATCH', path, 204, member('remove'));
    await topic('after');
    await rewrite(message, textPart('second'), textPart('third'));
    await ada.call('POST', `/messages/${uuidOf(message.id)}/parts`, 201, { body: textPart('fourth') });
    for (const as of [bob.call, asBob]) {
      const get = async (url: string) => (await as('GET', url, 200)).body;
      const address = `/messages/${uuidOf(message.id)}`;
      const { body: seen } = await as('GET', address, 200);
      expect(seen).toMatchObject({ updated_at: null, parts: [{ id: part.id, body: 'first' }] });
      expect((await get(`${address}/parts`)).map(({ body }: Json) => body)).toEqual(['first']);
      expect((await get(`${path}/messages`))[0].parts).toEqual(seen.parts);
      for (const one of [await get(path), (await get('/conversations'))[0]])
        expect(one).toMatchObject({ metadata: { topic: 'before' }, last_message: { parts: seen.parts } });
      await as('GET', `${address}/parts/${uuidOf(part.id)}`, 200);
    }
    const { body: present } = await ada.call('GET', `/messages/${uuidOf(message.id)}`, 200);
    await bob.call('GET', `/messages/${uuidOf(message.id)}/parts/${uuidOf(present.parts[2].id)}`, 404);
    const server = await app.server('GET', `${path}/messages/${uuidOf(message.id)}`, 200);
    expect(server.body.parts).toHaveLength(3);
    await ada.call('DELETE', `/messages/${uuidOf(message.id)}?mode=all_participants`, 204);
    await bob.call('GET', `/messages/${uuidOf(message.id)}`, 404);
    expect((await bob.call('GET', path, 200)).body.last_message).toBeNull();
  });

  test('gets no address for content that was added to a message after they left', async () => {
    const message = await say(ada, 'first');
    await ada.call('PATCH', path, 204, member('remove'));
    const content = await uploaded(ada);
    const body = { mime_type: 'image/png', content: { id: content.id } };
    await ada.call('POST', `/messages/${uuidOf(message.id)}/parts`, 201, { body });
    await bob.call('GET', `/content/${uuidOf(content.id)}`, 404);
    await ada.call('PATCH', path, 204, member('add'));
    await bob.call('GET', `/content/${uuidOf(content.id)}`, 200);
  });

  const asBob: TestUser['call'] = (method, url, status, options) =>
    app.server(method, `/users/bob${url}`, status, options);

  async function uploaded(user: TestUser): Promise<Json> {
    const headers = { 'upload-content-type': 'image/png', 'upload-content-length': '1' };
    const { body } = await user.call('POST', '/content', 201, { headers });
    const { status } = await fetch(body.upload_url, { method: 'PUT', body: 'x' });
    expect(status).toBe(200);
    return body;
  }
});
