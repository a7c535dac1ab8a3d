import { memoryStorage, type SocketLike } from '@parley/client';
import { createApp, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'replays');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

type Packet = { type: string; body: { method?: string; data?: { complete?: boolean } } };

/** A socket of a platform that does not remember what happened: its replay has nothing that a device knows, and says so. */
class ForgetfulSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #socket: WebSocket;
  #isReplayed = false;

  constructor(url: string, protocols: string[]) {
    this.#socket = new WebSocket(url, protocols);
    this.#socket.onopen = () => this.onopen?.();
    this.#socket.onmessage = ({ data }) => this.onmessage?.({ data: this.#forget(String(data)) });
    this.#socket.onclose = ({ code, reason }) => this.onclose?.({ code, reason });
    this.#socket.onerror = () => this.onerror?.();
  }

  send(data: string): void {
    this.#socket.send(data);
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason);
  }

  #forget(text: string): string {
    const packet = JSON.parse(text) as Packet;
    const { type, body } = packet;
    if (this.#isReplayed) return text;
    if (type === 'change')
      return JSON.stringify({
        ...packet,
        body: { operation: 'create', object: { type: 'Poll', id: '' }, data: {} },
      });
    if (type !== 'response' || body.method !== 'Event.replay') return text;
    this.#isReplayed = true;
    return JSON.stringify({ ...packet, body: { ...body, data: { ...body.data, complete: false } } });
  }
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
  const after = open('ada', { storage, WebSocket: ForgetfulSocket });
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
