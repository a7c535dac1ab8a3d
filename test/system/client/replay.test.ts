import { memoryStorage } from '@parley/client';
import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { filteredSocket, type Filter } from './sockets.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'replays');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

type Packet = { type: string; body: { method?: string; data?: { complete?: boolean } } };

/** The sockets of a platform that does not remember what happened: the first replay has nothing that a device knows, and says so. */
function forgetful(): Filter {
  let isReplayed = false;
  return (text) => {
    const packet = JSON.parse(text) as Packet;
    const { type, body } = packet;
    if (isReplayed) return text;
    if (type === 'change')
      return JSON.stringify({
        ...packet,
        body: { operation: 'create', object: { type: 'Poll', id: '' }, data: {} },
      });
    if (type !== 'response' || body.method !== 'Event.replay') return text;
    isReplayed = true;
    return JSON.stringify({ ...packet, body: { ...body, data: { ...body.data, complete: false } } });
  };
}

test('after a replay that is not complete everything is read afresh', async () => {
  const storage = memoryStorage();
  const before = open('ada', { storage });
  const [kept, gone] = [
    await before.createConversation({ participants: ['grace'] }),
    await before.createConversation({ participants: ['grace'] }),
  ];
  for (const conversation of [kept, gone]) await (await conversation.send('before')).settled();
  await shown(before.connection, ({ status }) => status === 'online');
  await before.destroy();
  await app.server('DELETE', `/conversations/${uuidOf(gone.id)}`, 204);
  const body = { sender_id: 'grace', parts: [textPart('meanwhile')] };
  await app.server('POST', `/conversations/${uuidOf(kept.id)}/messages`, 201, { body });

  const names: string[] = [];
  const after = open('ada', { storage, WebSocket: filteredSocket(forgetful) });
  after.on('diagnostic', ({ name }) => names.push(name));
  const { items } = await shown(
    after.messages(kept.id),
    (list) => list.items.length === 2 && !list.hasOlder,
    'both messages',
  );
  expect(items.map(({ text }) => text)).toEqual(['before', 'meanwhile']);
  await shown(after.conversation(gone.id), (one) => one === undefined, 'the other conversation is gone');
  expect(after.conversation(kept.id).getSnapshot()?.unreadCount).toBe(1);
  expect(names).toContain('read_afresh');
});

test('a conversation that is gone since the user left it goes when its messages are to be shown', async () => {
  const other = open('ada');
  const { id } = await other.createConversation({ participants: ['grace'] });
  for (const text of ['one', 'two', 'three'])
    await (await other.conversation(id).getSnapshot()!.send(text)).settled();
  const ada = open('ada');
  await shown(
    ada.conversation(id),
    (one) => one?.lastMessage?.text === 'three',
    'the conversation on the other device',
  );
  await other.conversation(id).getSnapshot()!.leave();
  await shown(ada.conversation(id), (one) => one?.isParticipant === false, 'ada has left');
  await app.server('DELETE', `/conversations/${uuidOf(id)}`, 204);
  expect(ada.conversation(id).getSnapshot()).toBeDefined();
  const { items, error } = await shown(
    ada.messages(id),
    ({ status, hasOlder }) => status === 'ready' && !hasOlder,
    'an empty list',
  );
  expect([items, error]).toEqual([[], undefined]);
  expect(ada.conversation(id).getSnapshot()).toBeUndefined();
});

test('a conversation that the user has left is shown as it is now when its messages are shown', async () => {
  const created = await app.server('POST', '/conversations', 201, {
    body: { participants: ['ada', 'grace'] },
  });
  const { id } = created.body as { id: string };
  const path = `/conversations/${uuidOf(id)}`;
  const body = [1, 2].map((number) => ({ sender_id: 'grace', parts: [textPart(String(number))] }));
  await app.server('POST', `${path}/messages`, 202, { body });
  const ada = open('ada');
  await shown(ada.messages(id), ({ items, hasOlder }) => items.length === 2 && !hasOlder, 'both messages');
  const first = ada.messages(id).getSnapshot().items[0]!;
  await ada.conversation(id).getSnapshot()!.leave();
  await shown(ada.conversation(id), (one) => one?.isParticipant === false, 'ada has left');
  await app.server('DELETE', `${path}/messages/${uuidOf(first.id)}`, 204);
  await shown(ada.messages(id), ({ items }) => items.length === 1, 'one message');
  await app.server('DELETE', path, 204);
  expect(ada.conversation(id).getSnapshot()).toBeDefined();
  await shown(
    ada.messages(id),
    ({ items, status }) => items.length === 0 && status === 'ready',
    'no message',
  );
  expect(ada.conversation(id).getSnapshot()).toBeUndefined();
});

/** The sockets of a device that hears nothing any more from a moment on. */
function deafening() {
  let isDeaf = false;
  const filter: Filter = (text) => (isDeaf ? undefined : text);
  return { WebSocket: filteredSocket(() => filter), deafen: () => (isDeaf = true) };
}

test('what a refusal says about a conversation is read at once', async () => {
  const { WebSocket, deafen } = deafening();
  const ada = open('ada', { WebSocket });
  const refusals: string[] = [];
  ada.on('failed', ({ operation, error }) => refusals.push(`${operation} ${error.id}`));
  await shown(ada.connection, ({ status }) => status === 'online');
  const made = async () => {
    const conversation = await ada.createConversation({ participants: ['grace'] });
    const message = await (await conversation.send('before')).settled();
    return { conversation, message, path: `/conversations/${uuidOf(conversation.id)}` };
  };
  const [sentTo, deletedIn, left] = [await made(), await made(), await made()];
  deafen();
  for (const { path } of [sentTo, deletedIn]) await app.server('DELETE', path, 204);
  const body = [{ operation: 'remove', property: 'participants', id: 'ada' }];
  const headers = { 'content-type': 'application/vnd.svc-patch+json' };
  await app.server('PATCH', left.path, 204, { body, headers });

  await sentTo.conversation.send('after');
  await deletedIn.message.delete('all_participants');
  await left.conversation.setMetadata(['topic'], 'after');
  for (const { conversation } of [sentTo, deletedIn])
    await shown(ada.conversation(conversation.id), (one) => one === undefined, 'it is gone');
  await shown(ada.conversation(left.conversation.id), (one) => one?.isParticipant === false, 'ada has left');
  expect(refusals.toSorted()).toEqual(['patch access_denied', 'send not_found']);
});

test('a page that could not be read for a moment is read again on the same connection', async () => {
  const created = await app.server('POST', '/conversations', 201, {
    body: { participants: ['ada', 'grace'] },
  });
  const { id } = created.body as { id: string };
  const body = [1, 2, 3].map((number) => ({ sender_id: 'grace', parts: [textPart(String(number))] }));
  await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 202, { body });
  let refused = 0;
  const unsteady: typeof fetch = (input, init) => {
    if (!String(input).includes('/messages?') || refused >= 2) return fetch(input, init);
    refused++;
    return Promise.resolve(new Response('', { status: 503 }));
  };
  const ada = open('ada', { fetch: unsteady });
  await shown(ada.messages(id), ({ items }) => items.length === 3, 'all messages');
  expect(refused).toBe(2);
});
