import { leanSockets } from '@parley/client/lean';
import { createApp, uuidOf, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'reactions');
  await Promise.all(['ada', 'grace'].map((name) => app.login(name)));
});

async function startConversation(): Promise<string> {
  const body = { participants: ['ada', 'grace'] };
  return ((await app.server('POST', '/conversations', 201, { body })).body as { id: string }).id;
}

test.each([[true], [false]])(
  'devices show reactions and metadata as they are, lean sockets: %s',
  async (isLean) => {
    const id = await startConversation();
    const lean = isLean ? { WebSocket: leanSockets(WebSocket) } : {};
    const [ada, grace] = [open('ada', lean), open('grace', lean)];
    const [ofAda, ofGrace] = [ada.messages(id), grace.messages(id)];
    const conversation = await shown(ada.conversation(id), (one) => one !== undefined, 'the conversation');
    await shown(ofGrace, ({ status }) => status === 'ready', 'the messages');
    await conversation!.send({ text: 'Order', metadata: { order: { number: 1 } } });
    const { items } = await shown(ofGrace, (list) => list.items.length === 1, 'the message');
    const [message] = items;
    expect(message!.metadata).toEqual({ order: { number: 1 } });
    expect(message!.reactions).toEqual({});

    await message!.react('a.b');
    expect(ofGrace.getSnapshot().items[0]!.reactions).toMatchObject({ 'a.b': { count: 1, own: true } });
    const seen = await shown(ofAda, (list) => list.items[0]?.reactions['a.b']?.count === 1, 'the reaction');
    expect(seen.items[0]!.reactions).toEqual({ 'a.b': { count: 1, recent: ['svc:///identities/grace'] } });

    await seen.items[0]!.react('a.b');
    await seen.items[0]!.setMetadata(['order', 'state'], 'shipped');
    const both = await shown(
      ofGrace,
      (list) => list.items[0]?.reactions['a.b']?.count === 2 && list.items[0].metadata['order'] !== undefined,
      'both reactions',
    );
    expect(both.items[0]!.reactions['a.b']!.own).toBe(true);
    await shown(
      ofGrace,
      (list) => JSON.stringify(list.items[0]!.metadata).includes('shipped'),
      'the metadata',
    );

    grace.disconnect();
    await both.items[0]!.unreact('a.b');
    await ofAda.getSnapshot().items[0]!.react('tada', { replace: true });
    expect(ofGrace.getSnapshot().items[0]!.reactions['a.b']).toMatchObject({ count: 1 });
    await shown(ofAda, (list) => list.items[0]?.reactions['tada'] !== undefined, 'the replacement');
    grace.connect();
    const last = await shown(
      ofGrace,
      (list) => !list.items[0]?.reactions['a.b'] && list.items[0]?.reactions['tada']?.count === 1,
      'the replay',
    );
    expect(last.items[0]!.reactions).toEqual({ tada: { count: 1, recent: ['svc:///identities/ada'] } });
    const path = `/conversations/${uuidOf(id)}/messages/${uuidOf(message!.id)}`;
    // The list shows an act at once; the platform may still be storing it.
    const stored = await until('the reaction is taken back', async () => {
      const { reactions } = (await app.server('GET', path, 200)).body;
      return reactions['a.b'] === undefined ? reactions : undefined;
    });
    expect(stored).toEqual({ tada: { count: 1, recent: ['svc:///identities/ada'] } });
  },
);
