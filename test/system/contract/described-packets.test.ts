import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { describedPackets, type DescribedPackets } from '../../support/contract/asyncapi.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type TestSocket } from '../../support/socket.ts';
import type { Json } from '../../support/json.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let adas: TestSocket;
let bobs: TestSocket;
/** A socket with the extended subprotocol. */
let extended: TestSocket;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('b.o.b')]);
  [adas, bobs, extended] = await Promise.all([
    ada.connect(),
    bob.connect(),
    ada.connect({ subprotocol: 'svc-3.1' }),
  ]);
});

afterAll(() => Promise.all([adas, bobs, extended].map((socket) => socket.close())));

/** A request that succeeds; resolves with its data. */
async function ask(socket: TestSocket, method: string, data?: unknown, object_id?: string): Promise<Json> {
  const body = await socket.request(method, {
    ...(data !== undefined && { data }),
    ...(object_id !== undefined && { object_id }),
  });
  expect(body).toMatchObject({ method, success: true });
  return body.data;
}

async function described(): Promise<DescribedPackets> {
  const packets = await describedPackets(app.baseUrl);
  if (!packets) throw new Error('the gateway has no document of its packets');
  return packets;
}

async function talk(): Promise<void> {
  await ask(bobs, 'Presence.subscribe', { ids: ['ada'] });
  await ask(adas, 'Presence.update', [{ operation: 'set', property: 'status', value: 'busy' }]);
  await bobs.waitFor('presence', isChange('update', 'Identity', ada.uri));
  await ask(bobs, 'Presence.sync', { ids: ['ada', 'b.o.b'] });
  const conversation = await ask(adas, 'Conversation.create', {
    participants: ['b.o.b'],
    metadata: { a: 'b' },
  });
  const patch = [{ operation: 'set', property: 'metadata.a', value: { c: 'd' } }];
  await ask(adas, 'Conversation.update', patch, conversation.id);
  const message = await ask(adas, 'Message.create', { parts: [textPart('hello')] }, conversation.id);
  await bobs.waitFor('message', isChange('create', 'Message', message.id));
  await ask(bobs, 'Conversation.mark_all_delivered', {}, conversation.id);
  await extended.waitFor('all delivered', ({ type }) => type === 'operation');
  await ask(bobs, 'Receipt.create', { type: 'delivery' }, message.id);
  await ask(bobs, 'Conversation.mark_all_read', {}, conversation.id);
  await adas.waitFor('all read', ({ body }) => body.method === 'Conversation.mark_all_read');
  const typing = { type: 'typing_indicator', object: { id: conversation.id }, data: { action: 'started' } };
  bobs.signal(typing);
  await adas.waitFor('typing', ({ type }) => type === 'signal');
  const server = `/conversations/${uuidOf(conversation.id)}/messages/${uuidOf(message.id)}/parts`;
  await app.server('PUT', server, 200, { body: [textPart('changed')] });
  await bobs.waitFor('edit', isChange('update', 'Message', message.id));
  await ask(bobs, 'Message.delete', { mode: 'all_participants' }, message.id);
  await ask(adas, 'Conversation.delete', { mode: 'my_devices' }, conversation.id);
  await adas.waitFor('hidden', isChange('delete', 'Conversation', conversation.id));
  const announcement = { sender_id: 'ada', recipients: ['b.o.b'], parts: [textPart('to all')] };
  await app.server('POST', '/announcements', 202, { body: announcement });
  await bobs.waitFor('announcement', isChange('create', 'Announcement'));
}

test('every packet of a gateway is of exactly one kind that its AsyncAPI document describes', async () => {
  const begun = new Date(Date.now() - 60_000).toISOString();
  await talk();
  await ask(bobs, 'Event.replay', { from_timestamp: begun });
  await ask(bobs, 'Counter.read');
  for (const method of ['Message.create', 'Receipt.create', 'Event.replay', 'Bogus.method']) {
    expect(await adas.request(method, {})).toMatchObject({ success: false });
  }
  const { kindsOf } = await described();
  const seen = new Set<string>();
  for (const packet of [...adas.packets, ...bobs.packets, ...extended.packets]) {
    const kinds = kindsOf(packet);
    expect({ packet, kinds }).toEqual({ packet, kinds: [expect.any(String)] });
    for (const kind of kinds) seen.add(kind);
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(
      ['AllDelivered', 'AllRead', 'AnnouncementCreated', 'IdentityUpdated', 'MessageUpdated', 'Typing'].map(
        (kind) => `${kind}Packet`,
      ),
    ),
  );
});

test('a packet with a property that is not described is of no kind', async () => {
  const { kindsOf } = await described();
  const [packet] = adas.packets;
  if (!packet) throw new Error('there is no packet');
  expect(kindsOf({ ...packet, body: { ...packet.body, more: 1 } })).toEqual([]);
});
