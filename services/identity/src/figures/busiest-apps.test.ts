import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { busiestBy } from './busiest-apps.ts';

const row = (app_id: string, messages: number) => ({ app_id, messages, requests: 0, deliveries: 0 });

test('the busiest applications are named, and the others are one series', () => {
  const apps = Array.from({ length: 30 }, (_, index) => row(`app ${index}`, index + 1));
  const named = busiestBy('messages', [row(NIL_UUID, 500), ...apps]);
  expect(named).toHaveLength(20);
  expect(named[0]).toEqual(['app 29', 30]);
  // 1 to 11 are not named, and 35 messages belong to no application.
  expect(named.at(-1)).toEqual(['other', 66 + 35]);
});

test('an application without activity has no series', () => {
  expect(busiestBy('requests', [row('a', 3), row(NIL_UUID, 3)])).toEqual([['other', 0]]);
});
