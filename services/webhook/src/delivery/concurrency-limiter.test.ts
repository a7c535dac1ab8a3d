import { createDeliveryLimiter, INITIAL_LIMIT, type DeliveryLimiter } from './concurrency-limiter.ts';

const roomOf = (rooms: DeliveryLimiter, id: string) =>
  rooms.listCapacities().find(({ webhook_id }) => webhook_id === id)?.capacity;

const target = (webhook_id: string, app_id = 'app') => ({ app_id, webhook_id });

function run(rooms: DeliveryLimiter, id: string, quick: boolean, { times = 1, app = 'app' } = {}): void {
  for (let time = 0; time < times; time += 1) {
    rooms.begin(target(id, app));
    rooms.end(target(id, app), quick);
  }
}

/** Begins what a claim may take, again and again, until nothing is left to begin. */
function fill(rooms: DeliveryLimiter, app: string, ids: readonly string[]): number {
  let begun = 0;
  for (let before = -1; before !== begun;) {
    before = begun;
    for (const id of ids) {
      const room = Math.min(roomOf(rooms, id) ?? INITIAL_LIMIT, rooms.share(app));
      for (let i = 0; i < room; i += 1) rooms.begin(target(id, app));
      begun += room;
    }
  }
  return begun;
}

test('what answers well gets more room, up to a limit', () => {
  const rooms = createDeliveryLimiter();
  run(rooms, 'a', true);
  expect(roomOf(rooms, 'a')).toBe(INITIAL_LIMIT + 1);
  run(rooms, 'a', true, { times: 1000 });
  expect(roomOf(rooms, 'a')).toBe(64);
});

test('a target is roomy while at most half of its room is taken', () => {
  const rooms = createDeliveryLimiter();
  for (let taken = 0; taken < INITIAL_LIMIT / 2; taken += 1) rooms.begin(target('a'));
  expect(rooms.isHalfFree('a')).toBe(true);
  rooms.begin(target('a'));
  expect(rooms.isHalfFree('a')).toBe(false);
});

test('what fails gets less, but never none', () => {
  const rooms = createDeliveryLimiter();
  run(rooms, 'a', false, { times: 10 });
  expect(roomOf(rooms, 'a')).toBe(2);
  rooms.begin(target('a'));
  rooms.begin(target('a'));
  expect(roomOf(rooms, 'a')).toBe(0);
});

test('any number of dead targets leaves half of all room to the others', () => {
  const rooms = createDeliveryLimiter();
  const before = rooms.free();
  for (let app = 0; app < 2000; app += 1) run(rooms, `dead ${app}`, false, { times: 3, app: `app ${app}` });
  for (const { webhook_id, capacity } of rooms.listCapacities()) {
    for (let i = 0; i < capacity; i += 1) rooms.begin(target(webhook_id, webhook_id.replace('dead', 'app')));
  }
  expect(before - rooms.free()).toBeLessThanOrEqual(before / 2);
  expect(rooms.listCapacities().every(({ capacity }) => capacity === 0)).toBe(true);
});

test('an application with any number of webhooks leaves as much room as it has, and so does each further one', () => {
  const rooms = createDeliveryLimiter();
  const idsOf = (app: string) => Array.from({ length: 300 }, (_, index) => `${app} ${index}`);
  const all = rooms.free();
  expect(fill(rooms, 'first', idsOf('first'))).toBe(all / 2);
  expect(rooms.share('first')).toBe(0);
  expect(fill(rooms, 'second', idsOf('second'))).toBe(all / 4);
  for (let app = 0; app < 50; app += 1) {
    expect(fill(rooms, `app ${app}`, idsOf(`app ${app}`))).toBeGreaterThan(rooms.free() > 2 ? 1 : 0);
    if (rooms.free() === 0) break;
  }
});

test('the dead targets of one application leave room for those of another one', () => {
  const rooms = createDeliveryLimiter();
  for (let index = 0; index < 2000; index += 1) run(rooms, `dead ${index}`, false, { times: 3 });
  for (const { webhook_id, capacity } of rooms.listCapacities()) {
    for (let i = 0; i < capacity; i += 1) rooms.begin(target(webhook_id));
  }
  run(rooms, 'other', false, { times: 3, app: 'other' });
  expect(roomOf(rooms, 'other')).toBe(2);
});
