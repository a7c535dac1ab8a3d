import {
  conversationCreated,
  conversationUpdated,
  CONVERSATION,
  ME,
  messageAt,
  messageCreated,
  messageDeleted,
  testRecords,
} from './records.ts';

import { conversationShown } from '../../src/pending/optimistic-view.ts';
import type { Change } from '../../src/records/records.ts';

const VIEWER = {
  me: ME,
  wire: 'svc',
  self: { id: ME, url: '', user_id: 'ada', display_name: null, avatar_url: null },
};
const GRACE = 'svc:///identities/grace';

function setCount(value: number) {
  return { operation: 'set' as const, property: 'unread_message_count', value };
}

test('a new message comes with its count, and the packet of the count does not count it again', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)), messageCreated(messageAt(2)));
  expect(records.conversation()?.unread_message_count).toBe(2);
  const last = { operation: 'set' as const, property: 'last_message', id: messageAt(2).id };
  await records.apply(conversationUpdated(last, setCount(2)), messageCreated(messageAt(2)));
  expect(records.conversation()).toMatchObject({ unread_message_count: 2, last_message: { position: 2 } });
});

test('a status never goes back when a replay repeats an older one', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)));
  const status = (value: string) => ({
    ...{ operation: 'update' as const, object: { type: 'Message', id: messageAt(1).id } },
    data: [{ operation: 'set' as const, property: `recipient_status.${ME}`, value }],
  });
  await records.apply(status('read'), status('delivered'));
  const [row] = await records.store.get('messages', [messageAt(1).id]);
  expect(row?.value).toMatchObject({ is_unread: false, recipient_status: { [ME]: 'read' } });
  expect(records.conversation()?.last_message?.is_unread).toBe(false);
});

test('a message that was deleted while the device was away orders its conversation no more', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)), messageCreated(messageAt(2)));
  expect(records.conversation()?.active_at).toBe(messageAt(2).sent_at);
  // A replay begins with the present state of the conversation, and the deletion follows.
  await records.apply(conversationCreated(messageAt(1), 1), messageDeleted(2));
  expect(records.conversation()).toMatchObject({
    active_at: messageAt(1).sent_at,
    last_message: { position: 1 },
  });
});

test('marking all read reaches messages that are not in memory', async () => {
  const records = await testRecords();
  await records.apply(
    conversationCreated(),
    ...[1, 2, 3].map((position) => messageCreated(messageAt(position))),
  );
  expect(records.inMemory.messages.size).toBe(0);
  const identity = { id: ME, url: '', user_id: 'ada', display_name: null, avatar_url: null };
  const object = { type: 'Conversation', id: CONVERSATION };
  await records.apply({ method: 'Conversation.mark_all_read', object, data: { position: 2, identity } });
  const rows = await records.store.list('messages', { group: CONVERSATION });
  expect(rows.map(({ value }) => (value as { is_unread: boolean }).is_unread)).toEqual([true, false, false]);
});

test('mark all read on another device reads messages of a type without receipts', async () => {
  const records = await testRecords();
  const message = { ...messageAt(1), is_unread: true, recipient_status: { [GRACE]: 'read' as const } };
  await records.apply(conversationCreated(), messageCreated(message));
  const identity = { id: ME, url: '', user_id: 'ada', display_name: null, avatar_url: null };
  const object = { type: 'Conversation', id: CONVERSATION };
  await records.apply({ method: 'Conversation.mark_all_read', object, data: { position: 1, identity } });
  const [row] = await records.store.list('messages', { group: CONVERSATION });
  expect(row?.value).toMatchObject({ is_unread: false, recipient_status: { [GRACE]: 'read' } });
});

test('metadata change along a path whose keys may hold dots', async () => {
  const records = await testRecords();
  const set = (property: string, value: unknown) => ({ operation: 'set' as const, property, value });
  await records.apply(
    conversationCreated(),
    conversationUpdated(set('metadata.a\\.b.c', 'one'), set('metadata.d', 'two')),
  );
  expect(records.conversation()?.metadata).toEqual({ 'a.b': { c: 'one' }, d: 'two' });
  await records.apply(conversationUpdated({ operation: 'delete', property: 'metadata.a\\.b.c' }));
  expect(records.conversation()?.metadata).toEqual({ 'a.b': {}, d: 'two' });
});

test('who is removed keeps the conversation without participants', async () => {
  const records = await testRecords();
  const remove = (id: string) => conversationUpdated({ operation: 'remove', property: 'participants', id });
  await records.apply(conversationCreated(), remove(GRACE));
  expect(records.conversation()?.participants.map(({ id }) => id)).toEqual([ME]);
  await records.apply(remove(ME));
  expect(records.conversation()?.participants).toEqual([]);
});

test('who is removed has nothing unread, and has it again when they are added', async () => {
  const records = await testRecords();
  const unread = () =>
    conversationShown(records.inMemory, CONVERSATION, [], VIEWER)?.record.unread_message_count;
  await records.apply(conversationCreated(messageAt(2), 2));
  expect(unread()).toBe(2);
  await records.apply(conversationUpdated({ operation: 'remove', property: 'participants', id: ME }));
  expect(unread()).toBe(0);
  await records.apply(conversationCreated(messageAt(2), 2));
  expect(unread()).toBe(2);
});

test('a deleted message gives its place in the list to the one before', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)), messageCreated(messageAt(2)));
  const last = { operation: 'set' as const, property: 'last_message', id: messageAt(1).id };
  await records.apply(messageDeleted(2), conversationUpdated(last, setCount(1)));
  expect(records.conversation()?.last_message?.position).toBe(1);
});

test('a conversation whose newest message is deleted for all is sorted by the one before, or by its creation', async () => {
  const records = await testRecords();
  const hidden = {
    ...{ operation: 'delete' as const, object: { type: 'Message', id: messageAt(3).id } },
    data: { mode: 'my_devices' },
  };
  const created = [1, 2, 3].map((position) => messageCreated(messageAt(position)));
  await records.apply(conversationCreated(), ...created, hidden);
  expect(records.conversation()?.active_at).toBe(messageAt(3).sent_at);

  const other = await testRecords();
  await other.apply(conversationCreated(), messageCreated(messageAt(1)), messageCreated(messageAt(2)));
  const last = { operation: 'set' as const, property: 'last_message', id: messageAt(1).id };
  await other.apply(messageDeleted(2), conversationUpdated(last));
  expect(other.conversation()?.active_at).toBe(messageAt(1).sent_at);
  await other.apply(messageDeleted(1));
  expect(other.conversation()?.active_at).toBe(other.conversation()?.created_at);
});

test('a last message that is not here is asked for', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(messageAt(5), 1));
  const batch = await records.apply(
    messageDeleted(5),
    conversationUpdated({ operation: 'set', property: 'last_message', id: 'svc:///messages/4' }, setCount(0)),
  );
  expect([...batch.toRefetch]).toEqual([['svc:///messages/4', CONVERSATION]]);
  expect(records.conversation()).toMatchObject({ last_message: null, last_message_id: 'svc:///messages/4' });
});

test('the end of a hidden conversation that a replay repeats after it came back takes the old messages only', async () => {
  const records = await testRecords();
  const hidden = {
    ...{ operation: 'delete' as const, object: { type: 'Conversation', id: CONVERSATION } },
    data: { mode: 'my_devices', from_position: 1 },
  };
  await records.apply(conversationCreated(), messageCreated(messageAt(1)));
  await records.apply(hidden);
  expect(records.conversation()).toBeUndefined();
  await records.apply(conversationCreated(), messageCreated(messageAt(2)), hidden);
  const rows = await records.store.list('messages', { group: CONVERSATION });
  expect([records.conversation() !== undefined, rows.map(({ order }) => order)]).toEqual([true, [2]]);
});

test('packets of a later release are passed over', async () => {
  const records = await testRecords();
  const object = { type: 'Poll', id: 'svc:///polls/1' };
  await records.apply(conversationCreated(), { operation: 'create', object, data: {} } as unknown as Change);
  await records.apply(conversationUpdated({ operation: 'set', property: 'colour', value: 'red' }));
  expect(records.conversation()).toMatchObject({ metadata: {} });
});

test('an operation of a later release takes nothing away', async () => {
  const records = await testRecords();
  await records.apply(conversationCreated(messageAt(1)), messageCreated(messageAt(1)));
  for (const { object } of [conversationUpdated(), messageCreated(messageAt(1))])
    await records.apply({ operation: 'pin', object, data: { until: null } } as unknown as Change);
  expect(records.conversation()).toMatchObject({ last_message: { id: messageAt(1).id } });
});
