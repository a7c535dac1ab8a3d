import { createMetrics } from '@parley/kit/runtime/telemetry/metrics';
import type { SendState } from '../../sql/message/send-state.ts';
import { createConversationCache, type CachedConversation } from './conversation-cache.ts';

function entryOf(id: string, senders: number): CachedConversation {
  const names = Array.from({ length: senders }, (_, index): [string, SendState] => [
    `user ${index}`,
    {} as SendState,
  ]);
  return { row: { app_id: 'app', id } as CachedConversation['row'], senders: new Map(names) };
}

test('the cache holds a bounded number of senders, and drops the conversations that were used least recently', () => {
  const cache = createConversationCache(createMetrics('test'));
  for (let number = 0; number < 600; number++) cache.put(entryOf(String(number), 100));
  const kept = Array.from({ length: 600 }, (_, number) => cache.find('app', String(number))).filter(Boolean);
  expect(kept).toHaveLength(500);
  expect(cache.find('app', '0')).toBeUndefined();
  expect(cache.find('app', '599')).toBeDefined();
});

test('attempts pause after stale batches in a row, longer each time and at most for 63, and go on after one that was stored', () => {
  const cache = createConversationCache(createMetrics('test'));
  const skippedAfter = (isCurrent: boolean): number => {
    cache.noteAttempt(isCurrent);
    let skipped = 0;
    while (!cache.mayTry()) skipped += 1;
    return skipped;
  };
  expect(Array.from({ length: 9 }, () => skippedAfter(false))).toEqual([0, 1, 3, 7, 15, 31, 63, 63, 63]);
  expect(skippedAfter(true)).toBe(0);
  expect(skippedAfter(false)).toBe(0);
});
