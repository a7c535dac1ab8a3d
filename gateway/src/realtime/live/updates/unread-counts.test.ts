import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { UnreadCounts } from './unread-counts.ts';

const place = { appId: 'app', conversationId: 'conversation' };

const event = (seq: number): Event => create(EventSchema, { ...place, seq });
const sent = (
  seq: number,
  { id, by = 'bob', low = false }: { id: string; by?: string; low?: boolean },
): Event =>
  create(EventSchema, {
    ...place,
    seq,
    body: { case: 'messageCreated', value: { message: { id, low, sender: { userId: by } } } },
  });

let counts: UnreadCounts;
const begin = () => counts.begin(place, 'ann');

beforeEach(() => {
  counts = new UnreadCounts();
});

test('a number that an event states during a fetch leaves the fetched message', () => {
  counts.invalidate(event(4), 'ann');
  const fetched = begin();
  counts.set(event(5), 'ann', 0);
  const update = { unread: 0, lastMessageId: 'third' };
  expect(fetched(2, 4, 'third')).toEqual(update);
  expect(counts.known(place, 'ann')).toEqual(update);
});

test.each([
  ['counts', { id: 'newer' }, 3],
  ['is their own', { id: 'newer', by: 'ann' }, 2],
  ['is low', { id: 'newer', low: true }, 2],
])('a message that %s stays the newest when an older one is fetched', (_, message, unread) => {
  const fetched = begin();
  counts.messageCreated(sent(5, message), 'ann');
  const update = { unread, lastMessageId: 'newer' };
  expect(fetched(2, 4, 'older')).toEqual(update);
  expect(counts.known(place, 'ann')).toEqual(update);
});

test('a message that arrived before a newer one was fetched is not the newest', () => {
  const fetched = begin();
  counts.messageCreated(sent(5, { id: 'older' }), 'ann');
  expect(fetched(2, 6, 'newer')).toEqual({ unread: 2, lastMessageId: 'newer' });
});

test('a message that arrives after a newer one was fetched is not the newest', () => {
  const fetched = begin();
  counts.set(event(4), 'ann', 0);
  fetched(2, 6, 'newer');
  counts.messageCreated(sent(5, { id: 'older' }), 'ann');
  expect(counts.known(place, 'ann')).toEqual({ unread: 1, lastMessageId: 'newer' });
});
