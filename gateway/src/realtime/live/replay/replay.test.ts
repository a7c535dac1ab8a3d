import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import type { ChangeBody } from '@parley/domain/json/change';
import { createWire } from '@parley/domain/wire';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { AudienceSchema, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import type { FrameBody } from '../../connection/frame.ts';
import type { Audiences } from '../../../upstream/messaging/audiences.ts';
import type { RenderContext } from '../render/context.ts';
import { createReplay } from './replay.ts';

const appId = '01970000-0000-7000-8000-000000000001';
const conversationId = '01970000-0000-7000-8000-000000000002';
const messageId = '01970000-0000-7000-8000-000000000003';

const messaging = createClient(
  MessagingService,
  createRouterTransport(({ service }) => {
    service(MessagingService, {
      getReceipts: () => ({}),
      listMessageIds: ({ positions: [range], pageSize }) => {
        const { first = 1, last = 0 } = range ?? {};
        const length = Math.min(pageSize, last - first + 1);
        return { items: Array.from({ length }, (_, index) => ({ id: messageId, position: first + index })) };
      },
      getConversation: () => ({ conversation: { appId, id: conversationId } }),
      getUnreadCounts: ({ items }) => ({
        results: items.map(() => ({ unreadMessageCount: 7, seq: 9, lastMessageId: messageId })),
      }),
    });
  }),
);

/** Number of requests for audiences. */
let audiences = 0;
beforeEach(() => void (audiences = 0));

/** The packets of a replay to Ann's socket, abbreviated. */
const replayed = (...events: Event[]): Promise<string[]> => replayTo(() => undefined, ...events);

/** Like `replayed`; `untilRead` is called with the number of packets so far whenever the replay waits for the client to read. */
const replayTo = async (untilRead: (packets: number) => void, ...events: Event[]): Promise<string[]> => {
  const packets: string[] = [];
  const write = (_: string, { json }: FrameBody): void => {
    const { operation, object, data } = JSON.parse(json) as ChangeBody;
    const steps = operation === 'update' ? data.map((step) => ` ${step.operation} ${step.property}`) : [];
    packets.push(`${operation} ${object.type}${steps.join()}`);
  };
  const replay = createReplay({
    context: {
      view: { wire: createWire('svc'), baseUrl: 'http://gateway.test', audience: 'client', appId: '' },
      messaging,
      maxStatusesInFrame: 100,
      note: () => undefined,
    } as Partial<RenderContext> as RenderContext,
    audiences: {
      current() {
        audiences += 1;
        return Promise.resolve(create(AudienceSchema, { appId, conversationId }));
      },
    } as Partial<Audiences> as Audiences,
    messaging,
    connection: { caller: { appId, userId: 'ann' }, write } as Partial<Connection> as Connection,
  });
  const wait = (): undefined => void untilRead(packets.length);
  await replay.events(events, wait);
  await replay.finish(wait);
  return packets;
};

const place = { appId, conversationId };
const sent = (seq: number): Event => {
  const message = { appId, conversationId, id: messageId, position: seq, sender: { userId: 'bob' } };
  return create(EventSchema, { ...place, seq, body: { case: 'messageCreated', value: { message } } });
};
const removed = (seq: number, userId: string): Event => {
  const operations = [{ step: { case: 'removeParticipant' as const, value: userId } }];
  const value = { operations, removedUserIds: [userId], removed: [{ userId }] };
  return create(EventSchema, { ...place, seq, body: { case: 'conversationUpdated', value } });
};
const added = (seq: number, userId: string): Event => {
  const operations = [{ step: { case: 'addParticipant' as const, value: userId } }];
  const value = { operations, added: [{ userId }] };
  return create(EventSchema, { ...place, seq, body: { case: 'conversationUpdated', value } });
};

const message = 'create Message';
const removal = 'update Conversation remove participants, set unread_message_count';
const removalOfAnother = 'update Conversation remove participants';
const welcome = 'create Conversation';
const state = 'update Conversation set last_message, set unread_message_count';

test('a removed user gets the removal with an unread count of 0, and nothing afterwards', async () => {
  expect(await replayed(sent(2), removed(3, 'ann'))).toEqual([message, removal]);
});

test('a user who stays gets the present state after the removal of another one', async () => {
  expect(await replayed(sent(2), removed(3, 'bob'))).toEqual([message, removalOfAnother, state]);
});

test('a user who is added again gets the present state', async () => {
  const events = [sent(2), removed(3, 'ann'), added(4, 'ann'), sent(5)];
  expect(await replayed(...events)).toEqual([message, removal, welcome, message, state]);
});

test('a mark all read that becomes a receipt for each message waits for the client after every page', async () => {
  const value = {
    userId: 'bob',
    position: 1200,
    newlyRead: [{ first: 1, last: 1200 }],
    unreadSenderIds: ['ann'],
  };
  const allRead = create(EventSchema, { ...place, seq: 2, body: { case: 'allRead', value } });
  const waits: number[] = [];
  const packets = await replayTo((count) => void waits.push(count), allRead);
  expect(packets).toHaveLength(1200);
  expect(waits.slice(0, 3)).toEqual([500, 1000, 1200]);
});

test('a mark all delivered becomes a status for each message on a socket of the first subprotocol', async () => {
  const value = { userId: 'bob', position: 2, newlyDelivered: [{ first: 1, last: 2 }] };
  const packets = await replayed(
    create(EventSchema, { ...place, seq: 2, body: { case: 'allDelivered', value } }),
  );
  const status = `update Message set recipient_status.svc:///identities/bob`;
  expect(packets).toEqual([status, status]);
});

test('asks for no audience but that of a message whose receipts are not known', async () => {
  const value = { conversation: { appId, id: conversationId } };
  const deleted = create(EventSchema, { ...place, seq: 3, body: { case: 'conversationDeleted', value } });
  expect(await replayed(removed(2, 'bob'), deleted)).toContain('delete Conversation');
  expect(audiences).toBe(0);
  await replayed(sent(4));
  expect(audiences).toBe(1);
});
