import { uuid7 } from '../../src/uuid.ts';

test('ids are UUIDs of version 7, in the order of their times', () => {
  const now = Date.UTC(2026, 10, 22);
  const ids = [now, now + 1, now + 100_000].map((time) => uuid7(time));
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
});
