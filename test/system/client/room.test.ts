import { memoryStorage, StoreFullError, type Storage, type Write } from '@parley/client';
import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'room');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

/** A storage that can be full: then it takes nothing until history was removed. */
function smallStorage(): { storage: Storage; room: { isFull: boolean } } {
  const inner = memoryStorage();
  const room = { isFull: false };
  function check(writes: readonly Write[]): void {
    if (writes.some(({ kind }) => kind === 'removeGroup')) room.isFull = false;
    if (room.isFull && writes.some(({ kind }) => kind === 'put')) throw new StoreFullError('full');
  }
  const storage: Storage = {
    remove: (name) => inner.remove(name),
    async open(name) {
      const store = await inner.open(name);
      return {
        ...store,
        async write(writes, options) {
          check(writes);
          await store.write(writes, options);
        },
      };
    },
  };
  return { storage, room };
}

const WRITTEN = 60;

/** A conversation with so many messages of Grace. */
async function conversationOf(count: number): Promise<string> {
  const body = { participants: ['ada', 'grace'] };
  const { id } = (await app.server('POST', '/conversations', 201, { body })).body as { id: string };
  for (let written = 0; written < count; written += 12) {
    const batch = Array.from({ length: 12 }, (_, index) => messageOf(`${written + index + 1}`));
    await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 202, { body: batch });
  }
  return id;
}

function messageOf(text: string) {
  return { sender_id: 'grace', parts: [textPart(text)] };
}

function texts(from: number): string[] {
  return Array.from({ length: WRITTEN - from + 1 }, (_, index) => String(from + index));
}

test('a device without room gives up old history, reads it again on demand, and keeps what is not sent', async () => {
  const id = await conversationOf(WRITTEN);
  const { storage, room } = smallStorage();
  const ada = open('ada', { storage });
  const names: string[] = [];
  ada.on('diagnostic', ({ name }) => names.push(name));
  const messages = ada.messages(id, { pageSize: 100 });
  await shown(messages, ({ items, hasOlder }) => items.length === WRITTEN && !hasOlder, 'all messages');
  const conversation = await shown(ada.conversation(id), (one) => one !== undefined);
  ada.disconnect();
  await conversation!.send('kept');
  room.isFull = true;
  await conversation!.send('kept, too');
  expect(names).toContain('pruned');
  const shownNow = messages.getSnapshot().items.map(({ text }) => text);
  expect(shownNow).toEqual([...texts(11), 'kept', 'kept, too']);
  expect(messages.getSnapshot().hasOlder).toBe(true);
  ada.connect();
  const all = [...texts(1), 'kept', 'kept, too'];
  const { items } = await shown(
    messages,
    (list) => list.items.length === all.length && list.items.every(({ state }) => state === 'sent'),
    'all messages, sent',
  );
  expect(items.map(({ text }) => text)).toEqual(all);
});

test('a packet that finds no room is applied to what is left of the history', async () => {
  const id = await conversationOf(WRITTEN);
  const { storage, room } = smallStorage();
  const ada = open('ada', { storage });
  const messages = ada.messages(id, { pageSize: 100 });
  await shown(messages, ({ items }) => items.length === WRITTEN, 'all messages');
  room.isFull = true;
  const body = messageOf('one more');
  await app.server('POST', `/conversations/${uuidOf(id)}/messages`, 201, { body });
  const { items } = await shown(
    messages,
    (list) => list.items.at(-1)?.text === 'one more' && list.items.length === WRITTEN + 1 && !list.hasOlder,
    'the new message, and the history that was read again',
  );
  expect(items.map(({ text }) => text)).toEqual([...texts(1), 'one more']);
});

test('where nothing can be removed, the wish fails, and others go on once there is room', async () => {
  const id = await conversationOf(0);
  const { storage, room } = smallStorage();
  const ada = open('ada', { storage });
  const conversation = await shown(ada.conversation(id), (one) => one !== undefined, 'the conversation');
  await shown(ada.connection, ({ status }) => status === 'online', 'online');
  room.isFull = true;
  await expect(conversation!.send('no room')).rejects.toMatchObject({ id: 'store_full' });
  expect(conversation!.messages().getSnapshot().items).toEqual([]);
  room.isFull = false;
  const sent = await (await conversation!.send('room again')).settled();
  expect(sent.position).toBe(1);
});
