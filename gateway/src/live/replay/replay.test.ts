import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import type { ChangeBody } from '@parley/domain/json/change';
import { createWire } from '@parley/domain/wire';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { AudienceSchema, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import type { FrameBody } from '../../connection/frame.ts';
import type { Audiences } from '../../messaging/audiences.ts';
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
      getConversation: () => ({ conversation: { appId, id: conversationId } }),
      getUnreadCounts: ({ items }) => ({
        results: items.map(() => ({ unreadMessageCount: 7, seq: 9, lastMessageId: messageId })),
      }),
    });
  }),
);

/** What Ann's socket is told by a replay, shortly. */
const replayed = async (...events: Event[]): Promise<string[]> => {
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
    } as RenderContext,
    audiences: {
      current: () => Promise.resolve(create(AudienceSchema, { appId, conversationId })),
    } as Partial<Audiences> as Audiences,
    messaging,
    connection: { caller: { appId, userId: 'ann' }, write } as Partial<Connection> as Connection,
  });
  await replay.events(events, () => undefined);
  await replay.finish(() => undefined);
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
const removal = 'update Conversation remove participants';
const welcome = 'create Conversation';
const state = 'update Conversation set last_message, set unread_message_count';

test('who is removed is told the removal, then nothing more', async () => {
  expect(await replayed(sent(2), removed(3, 'ann'))).toEqual([message, removal]);
});

test('who sees another removed is told the present state', async () => {
  expect(await replayed(sent(2), removed(3, 'bob'))).toEqual([message, removal, state]);
});

test('who is added again is told the present state of what happened since', async () => {
  const events = [sent(2), removed(3, 'ann'), added(4, 'ann'), sent(5)];
  expect(await replayed(...events)).toEqual([message, removal, welcome, message, state]);
});
