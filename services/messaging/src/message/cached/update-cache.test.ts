import { createMetrics } from '@parley/kit/runtime/telemetry/metrics';
import type { Progress } from '../../read-state/progress.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import { createConversationCache } from './conversation-cache.ts';
import { dropStale, updateCache, type Version } from './update-cache.ts';

const KEY = 'app/room';
const ROW = { app_id: 'app', id: 'room', seq: 5, head: 3, changed_at: 1_764_040_000_123 } as ConversationRow;
const CURRENT: Version = { seq: 5, head: 3, changedAt: 1_764_040_000.123 };

/** A cache with one conversation, of which the sender `ann` is cached. */
function createCache() {
  const cache = createConversationCache(createMetrics('test'));
  const ann = stateOf('ann');
  cache.put({ row: { ...ROW, changed_at: ROW.changed_at! }, senders: new Map([['ann', ann]]) });
  return cache;
}

function stateOf(user_id: string): SendState {
  return {
    role: 'sender',
    app_id: 'app',
    conversation_id: 'room',
    user_id,
    identity_version: 1,
    incarnation: 0,
    is_awaited: false,
  } as SendState;
}

function sendersAfter(before: Version): string[] {
  const cache = createCache();
  updateCache(cache, {
    conversations: [{ ...ROW, seq: 6, head: 4 }],
    before: new Map([[KEY, before]]),
    progresses: [],
    senders: [stateOf('bob')],
  });
  return [...(cache.find('app', 'room')?.senders.keys() ?? [])];
}

const OTHERS: [string, Partial<Version>][] = [
  ['another change', { seq: 4 }],
  ['another newest message', { head: 2 }],
  ['another time, by a microsecond', { changedAt: 1_764_040_000.123001 }],
];

test('senders stay cached when the transaction found the conversation as it was cached', () => {
  expect(sendersAfter(CURRENT)).toEqual(['ann', 'bob']);
});

test.each(OTHERS)('senders are dropped when the transaction found %s', (_, other) => {
  expect(sendersAfter({ ...CURRENT, ...other })).toEqual(['bob']);
});

test.each(OTHERS)('an entry is stale for a batch that found %s', (_, other) => {
  const cache = createCache();
  const states = [stateOf('ann')];
  dropStale(cache, { before: new Map([[KEY, CURRENT]]), states, cacheable: new Set(states) });
  expect(cache.find('app', 'room')?.senders.has('ann')).toBe(true);
  dropStale(cache, {
    before: new Map([[KEY, { ...CURRENT, ...other }]]),
    states,
    cacheable: new Set(states),
  });
  expect(cache.find('app', 'room')).toBeUndefined();
});

test('a sender is dropped when their identity changed or they may not be cached, and all are when events become awaited', () => {
  const sendersLeft = (state: SendState, isCacheable = true): boolean | undefined => {
    const cache = createCache();
    const cacheable = new Set(isCacheable ? [state] : []);
    dropStale(cache, { before: new Map([[KEY, CURRENT]]), states: [state], cacheable });
    return cache.find('app', 'room')?.senders.has('ann');
  };
  expect(sendersLeft(stateOf('ann'))).toBe(true);
  expect(sendersLeft({ ...stateOf('ann'), identity_version: 2 })).toBe(false);
  expect(sendersLeft({ ...stateOf('ann'), incarnation: 2 })).toBe(false);
  expect(sendersLeft(stateOf('ann'), false)).toBe(false);
  expect(sendersLeft({ ...stateOf('ann'), is_awaited: true })).toBeUndefined();
});

test('a cached bitmap keeps no other memory alive', () => {
  const cache = createCache();
  const large = new Uint8Array(8_192);
  const bitmap = large.subarray(0, 32);
  const progress = {
    row: { app_id: 'app', conversation_id: 'room', user_id: 'ann' },
    bitmaps: new Map([[0, { read: bitmap, delivered: bitmap, hidden: bitmap, contrary: bitmap }]]),
    known: [{ first: 0, last: Infinity }],
  } as unknown as Progress;
  updateCache(cache, {
    conversations: [{ ...ROW, seq: 6, head: 4 }],
    before: new Map([[KEY, CURRENT]]),
    progresses: [progress],
    senders: [],
  });
  const { read, delivered, hidden, contrary } = cache.find('app', 'room')!.senders.get('ann')!;
  expect([read, delivered, hidden, contrary].map((bits) => bits!.buffer.byteLength)).toEqual([
    32, 32, 32, 32,
  ]);
});
