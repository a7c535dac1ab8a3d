import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let conversation: Json;
const open: TestSocket[] = [];

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bo.b')]);
});

beforeEach(async () => {
  conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: [bob.uri] } })).body;
});

afterEach(async () => {
  for (const socket of open.splice(0)) if (!socket.closed) await socket.close();
});

async function connect(user: TestUser): Promise<TestSocket> {
  const socket = await user.connect();
  open.push(socket);
  return socket;
}
function path() {
  return `/conversations/${uuidOf(conversation.id)}`;
}
async function say(user: TestUser, text: string) {
  return (await user.call('POST', `${path()}/messages`, 201, { body: { parts: [textPart(text)] } })).body;
}

describe('live changes', () => {
  test('a new message: create Message, then update Conversation, for each participant', async () => {
    const [adas, bobs] = [await connect(ada), await connect(bob)];
    const message = await say(ada, 'hello');
    for (const [socket, user] of [
      [adas, ada],
      [bobs, bob],
    ] as const) {
      const created = await socket.waitFor('create Message', isChange('create', 'Message', message.id));
      expect(created.body.object).toEqual({ type: 'Message', id: message.id, url: message.url });
      expect(created.body.data).toEqual(
        (await user.call('GET', `/messages/${uuidOf(message.id)}`, 200)).body,
      );
      const updated = await socket.waitFor(
        'update Conversation',
        isChange('update', 'Conversation', conversation.id),
      );
      expect(updated.counter).toBeGreaterThan(created.counter);
      expect(updated.body.data).toEqual(
        expect.arrayContaining([
          { operation: 'set', property: 'last_message', id: message.id },
          { operation: 'set', property: 'unread_message_count', value: user === bob ? 1 : 0 },
        ]),
      );
    }
  });

  test('a new conversation arrives in the receiving user’s view, at the creator too', async () => {
    const [adas, bobs] = [await connect(ada), await connect(bob)];
    const { body: made } = await ada.call('POST', '/conversations', 201, {
      body: { participants: [bob.uri], metadata: { a: 'b' } },
    });
    for (const [socket, user] of [
      [adas, ada],
      [bobs, bob],
    ] as const) {
      const { body } = await socket.waitFor(
        'create Conversation',
        isChange('create', 'Conversation', made.id),
      );
      const seen = (await user.call('GET', `/conversations/${uuidOf(made.id)}`, 200)).body;
      const sorted = (value: Json) => ({
        ...value,
        participants: [...value.participants].sort((a: Json, b: Json) => a.id.localeCompare(b.id)),
      });
      expect(sorted(body.data)).toEqual(sorted(seen));
    }
  });

  test('a patch arrives as a patch', async () => {
    const bobs = await connect(bob);
    await ada.call('PATCH', path(), 204, {
      body: [{ operation: 'set', property: 'metadata.a.b', value: 'c' }],
    });
    const { body } = await bobs.waitFor('update', isChange('update', 'Conversation', conversation.id));
    expect(body.data).toEqual([{ operation: 'set', property: 'metadata.a.b', value: 'c' }]);
  });

  test('an added user gets create Conversation; a removed one the removal, then nothing more', async () => {
    const cem = await app.login('cem');
    const [cems, adas] = [await connect(cem), await connect(ada)];
    await ada.call('PATCH', path(), 204, {
      body: [{ operation: 'add', property: 'participants', id: cem.uri }],
    });
    await cems.waitFor('create', isChange('create', 'Conversation', conversation.id));
    const added = await adas.waitFor('add', isChange('update', 'Conversation', conversation.id));
    expect(added.body.data[0]).toMatchObject({
      operation: 'add',
      property: 'participants',
      id: cem.uri,
      value: { id: cem.uri, user_id: 'cem' },
    });
    await ada.call('PATCH', path(), 204, {
      body: [{ operation: 'remove', property: 'participants', id: cem.uri }],
    });
    const removed = await cems.waitFor('removal', isChange('update', 'Conversation', conversation.id));
    expect(removed.body.data).toEqual(
      expect.arrayContaining([{ operation: 'remove', property: 'participants', id: cem.uri }]),
    );
    const message = await say(ada, 'without cem');
    await adas.waitFor('message', isChange('create', 'Message', message.id));
    const { counter } = (await cems.request('Counter.read')).data;
    expect(cems.packets.slice(removed.counter + 1, counter + 1)).toEqual([]);
  });

  test('the sender gets the status of a receipt, with dots in ids escaped', async () => {
    const adas = await connect(ada);
    const message = await say(ada, 'read me');
    await bob.call('POST', `/messages/${uuidOf(message.id)}/receipts`, 204, { body: { type: 'read' } });
    const { body } = await adas.waitFor('status', isChange('update', 'Message', message.id));
    expect(body.data).toEqual([
      { operation: 'set', property: `recipient_status.${bob.uri.replaceAll('.', '\\.')}`, value: 'read' },
    ]);
  });

  test('reading lowers the unread count on the reader’s sockets', async () => {
    const message = await say(ada, 'read me');
    const bobs = await connect(bob);
    await bob.call('POST', `/messages/${uuidOf(message.id)}/receipts`, 204, { body: { type: 'read' } });
    const { body } = await bobs.waitFor('unread', isChange('update', 'Conversation', conversation.id));
    expect(body.data).toEqual(
      expect.arrayContaining([{ operation: 'set', property: 'unread_message_count', value: 0 }]),
    );
  });

  test('mark all read by REST is an operation for the others and for all sockets of the reader', async () => {
    await say(ada, 'read me');
    const [adas, bobs] = [await connect(ada), await connect(bob)];
    await bob.call('POST', `${path()}/mark_all_read`, 202, { body: { position: null } });
    for (const socket of [adas, bobs]) {
      const { body } = await socket.waitFor('operation', (packet) => packet.type === 'operation');
      expect(body).toMatchObject({
        method: 'Conversation.mark_all_read',
        object: { type: 'Conversation', id: conversation.id },
        data: { position: 1, identity: { id: bob.uri } },
      });
    }
    const update = await bobs.waitFor('unread', isChange('update', 'Conversation', conversation.id));
    expect(update.body.data).toContainEqual({ operation: 'set', property: 'unread_message_count', value: 0 });
  });

  test('deletions tell the mode', async () => {
    const [one, two] = [await say(ada, '1'), await say(ada, '2')];
    const bobs = await connect(bob);
    await ada.call('DELETE', `/messages/${uuidOf(one.id)}?mode=all_participants`, 204);
    expect((await bobs.waitFor('all', isChange('delete', 'Message', one.id))).body.data).toEqual({
      mode: 'all_participants',
    });
    await bob.call('DELETE', `/messages/${uuidOf(two.id)}?mode=my_devices`, 204);
    expect((await bobs.waitFor('mine', isChange('delete', 'Message', two.id))).body.data).toEqual({
      mode: 'my_devices',
    });
    await bob.call('DELETE', `${path()}?mode=my_devices`, 204);
    const hidden = await bobs.waitFor('conversation', isChange('delete', 'Conversation', conversation.id));
    expect(hidden.body.data).toEqual({ mode: 'my_devices', from_position: 2 });
    await ada.call('DELETE', `${path()}?mode=all_participants`, 204);
    const gone = await bobs.waitFor(
      'gone',
      (packet) =>
        isChange('delete', 'Conversation', conversation.id)(packet) &&
        packet.body.data.mode === 'all_participants',
    );
    expect(gone.body.data).toHaveProperty('from_position');
  });

  test('typing goes to the others only', async () => {
    const [adas, bobs] = [await connect(ada), await connect(bob)];
    adas.signal({
      type: 'typing_indicator',
      object: { type: 'Conversation', id: conversation.id },
      data: { action: 'started' },
    });
    const { body } = await bobs.waitFor('typing', (packet) => packet.type === 'signal');
    expect(body).toMatchObject({
      type: 'typing_indicator',
      object: { type: 'Conversation', id: conversation.id },
      data: { action: 'started', sender: { id: ada.uri } },
    });
    const finished = await bobs.waitFor(
      'stepped down',
      (packet) => packet.type === 'signal' && packet.body.data.action === 'finished',
      12_000,
    );
    expect(finished.body.data.sender.id).toBe(ada.uri);
    expect(adas.packets.filter(({ type }) => type === 'signal')).toEqual([]);
  });
});
