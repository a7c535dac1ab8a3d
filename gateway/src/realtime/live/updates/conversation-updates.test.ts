import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { createWire } from '@parley/domain/wire';
import type { ChangeStep } from '@parley/domain/json/change';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import type { FrameBody } from '../../connection/frame.ts';
import type { PacketSink } from '../render/recipients.ts';
import { createConversationUpdates, type ConversationUpdates } from './conversation-updates.ts';

const appId = '01970000-0000-7000-8000-000000000001';
const conversationId = '01970000-0000-7000-8000-000000000002';
const messageId = '01970000-0000-7000-8000-000000000003';

let clock: TestClock;
let updates: ConversationUpdates;
let sockets: Map<string, Set<PacketSink>>;
let unread: (() => number | Promise<number>) | undefined;
let fetches: number;

beforeEach(() => {
  clock = createTestClock(1_000_000);
  sockets = new Map();
  unread = undefined;
  fetches = 0;
  const transport = createRouterTransport(({ service }) => {
    service(MessagingService, {
      getUnreadCounts: async ({ items }) => {
        fetches++;
        if (!unread) throw new Error('the unread count is unknown');
        const unreadMessageCount = await unread();
        return { results: items.map(() => ({ unreadMessageCount, seq: 9, lastMessageId: messageId })) };
      },
    });
  });
  updates = createConversationUpdates({
    messaging: createClient(MessagingService, transport),
    hub: { of: (_, userId) => sockets.get(userId) },
    view: { wire: createWire('svc'), baseUrl: 'http://gateway.test', audience: 'client', appId: '' },
    clock,
    failed: () => undefined,
  });
});
afterEach(() => updates.stop());

type Packet = { operation: string; data: ChangeStep[] };

type Listener = { socket: PacketSink; packets: Packet[]; heard(): Promise<void> };

function connect(userId: string, isLean = false): Listener {
  const packets: Packet[] = [];
  let wake = (): void => undefined;
  const push = (_: string, { json }: FrameBody): void => {
    packets.push(JSON.parse(json) as Packet);
    wake();
  };
  const socket = { push, isLean };
  sockets.set(userId, new Set([...(sockets.get(userId) ?? []), socket]));
  const heard = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (packets.length > 0) resolve();
    });
  return { socket, packets, heard };
}

const event = (seq: number) => create(EventSchema, { appId, conversationId, seq });
const set = (value: string): ChangeStep[] => [{ operation: 'set', property: 'metadata.a', value }];
const patch = (userId: string, seq: number) =>
  updates.patched(event(seq), { userId, sockets: [...(sockets.get(userId) ?? [])] }, set(`${seq}`));

test('patches of a tick are one packet for each socket, in order', () => {
  const [ann, bob] = [connect('ann'), connect('bob')];
  for (const seq of [1, 2, 3]) for (const user of ['ann', 'bob']) patch(user, seq);
  expect(ann.packets).toEqual([]);
  clock.advance(50);
  expect(ann.packets).toMatchObject([{ operation: 'update', data: [...set('1'), ...set('2'), ...set('3')] }]);
  expect(bob.packets).toEqual(ann.packets);
  patch('ann', 4);
  clock.advance(50);
  expect(ann.packets.map(({ data }) => data)).toEqual([[...set('1'), ...set('2'), ...set('3')], set('4')]);
});

test('the unread count comes in the same packet, after the patches', () => {
  const ann = connect('ann');
  patch('ann', 1);
  updates.unreadIs(event(2), 'ann', 7);
  patch('ann', 3);
  clock.advance(50);
  const number = { operation: 'set', property: 'unread_message_count', value: 7 };
  expect(ann.packets.map(({ data }) => data)).toEqual([[...set('1'), ...set('3'), number]]);
});

test('patches wait for an unread count that has to be fetched', async () => {
  const ann = connect('ann');
  unread = () => 5;
  patch('ann', 1);
  updates.changed(event(2), 'ann');
  clock.advance(50);
  await ann.heard();
  expect(ann.packets.map(({ data }) => data.map(({ property }) => property))).toEqual([
    ['metadata.a', 'last_message', 'unread_message_count'],
  ]);
});

test('patches do not wait for an unread count that cannot be fetched', async () => {
  const ann = connect('ann');
  patch('ann', 3);
  updates.changed(event(4), 'ann');
  clock.advance(50);
  await ann.heard();
  expect(ann.packets.map(({ data }) => data)).toEqual([set('3')]);
});

test('pending updates are pushed before the whole conversation, or its deletion, and none afterwards', () => {
  const ann = connect('ann');
  patch('ann', 1);
  updates.unreadIs(event(2), 'ann', 7);
  updates.forget(event(3), 'ann');
  expect(ann.packets.map(({ data }) => data)).toEqual([set('1')]);
  clock.advance(100);
  expect(ann.packets).toHaveLength(1);
});

test('a patch goes to the sockets that were connected when it happened', () => {
  const early = connect('ann');
  patch('ann', 1);
  const late = connect('ann');
  patch('ann', 2);
  clock.advance(50);
  expect(early.packets.map(({ data }) => data)).toEqual([[...set('1'), ...set('2')]]);
  expect(late.packets.map(({ data }) => data)).toEqual([set('2')]);
});

test('an update is pushed within 50 ms of its event, also soon after a number that was fetched', async () => {
  const [ann, bob] = [connect('ann'), connect('bob')];
  unread = () => 5;
  updates.changed(event(1), 'ann');
  clock.advance(50);
  patch('bob', 2);
  clock.advance(1);
  await ann.heard();
  clock.advance(1);
  updates.unreadIs(event(10), 'ann', 6);
  clock.advance(50);
  await until(() => ann.packets[1], { withinMs: 10_000, what: 'the update' });
  expect(ann.packets.map(({ data }) => data.at(-1)?.value)).toEqual([5, 6]);
  expect(bob.packets).toHaveLength(1);
});

test('an update that comes while a number is being fetched is pushed when it has been, at once if 50 ms have passed', async () => {
  const ann = connect('ann');
  let answer: ((count: number) => void) | undefined;
  unread = () => new Promise<number>((resolve) => (answer = resolve));
  updates.changed(event(1), 'ann');
  clock.advance(50);
  const answerFetch = await until(() => answer, { withinMs: 10_000, what: 'the fetch' });
  updates.unreadIs(event(10), 'ann', 6);
  clock.advance(50);
  expect(ann.packets).toEqual([]);
  answerFetch(5);
  await until(() => ann.packets.at(-1)?.data.at(-1)?.value === 6 || undefined, {
    withinMs: 10_000,
    what: 'the update',
  });
});

test('a number that could not be fetched is fetched 250 ms later, and holds up no other update', async () => {
  const [ann, bob] = [connect('ann'), connect('bob')];
  patch('ann', 3);
  updates.changed(event(4), 'ann');
  clock.advance(50);
  await ann.heard();
  patch('bob', 5);
  patch('ann', 6);
  updates.changed(event(7), 'ann');
  clock.advance(50);
  expect(bob.packets).toHaveLength(1);
  await until(() => ann.packets[1], { withinMs: 10_000, what: 'the second patch' });
  expect(ann.packets.map(({ data }) => data)).toEqual([set('3'), set('6')]);
  unread = () => 5;
  clock.advance(250);
  await until(() => ann.packets[2], { withinMs: 10_000, what: 'the number' });
  expect(ann.packets[2]?.data.at(-1)?.value).toBe(5);
  expect(fetches).toBe(2);
});

test('a number that is fetched while a user goes and comes back is not pushed', async () => {
  connect('ann');
  let answer: ((count: number) => void) | undefined;
  unread = () => new Promise<number>((resolve) => (answer = resolve));
  updates.changed(event(1), 'ann');
  clock.advance(50);
  const answerFetch = await until(() => answer, { withinMs: 10_000, what: 'the fetch' });
  sockets.delete('ann');
  updates.forgetUser(appId, 'ann');
  const ann = connect('ann');
  updates.unreadIs(event(10), 'ann', 6);
  clock.advance(50);
  answerFetch(5);
  await until(() => ann.packets[0], { withinMs: 10_000, what: 'the update' });
  expect(ann.packets.map(({ data }) => data.at(-1)?.value)).toEqual([6]);
});

test('a lean socket is told of a new message by an update only where its unread count was not known', async () => {
  const [plain, lean] = [connect('ann'), connect('ann', true)];
  const sent = (seq: number, id: string) =>
    create(EventSchema, {
      ...{ appId, conversationId, seq },
      body: { case: 'messageCreated', value: { message: { id, sender: { userId: 'bob' } } } },
    });
  unread = () => 5;
  expect(updates.messageCreated(sent(9, messageId), 'ann', false)).toBeUndefined();
  clock.advance(50);
  await lean.heard();
  expect(lean.packets).toEqual(plain.packets);
  // The fetch has ended.
  await new Promise((resolve) => setImmediate(resolve));
  expect(updates.messageCreated(sent(10, 'newer'), 'ann', false)).toBe(6);
  clock.advance(50);
  expect([plain.packets.length, lean.packets.length]).toEqual([2, 1]);
  updates.messageCreated(sent(11, 'newest'), 'ann', false);
  patch('ann', 12);
  clock.advance(50);
  expect(plain.packets.at(-1)?.data.map(({ property }) => property)).toEqual([
    ...['metadata.a', 'last_message', 'unread_message_count'],
  ]);
  expect(lean.packets.at(-1)?.data).toEqual(set('12'));
  expect(updates.messageCreated(sent(13, 'last'), 'ann', true)).toBe(8);
  clock.advance(50);
  expect([plain.packets.length, lean.packets.length]).toEqual([3, 2]);
});
