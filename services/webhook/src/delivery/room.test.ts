import { createRooms, START } from './room.ts';

const roomOf = (rooms: ReturnType<typeof createRooms>, id: string) =>
  rooms.list().find(({ webhook_id }) => webhook_id === id)?.room;

function run(rooms: ReturnType<typeof createRooms>, id: string, quick: boolean, times = 1): void {
  for (let time = 0; time < times; time += 1) {
    rooms.begin(id);
    rooms.end(id, quick);
  }
}

test('what answers well gets more room, up to a limit', () => {
  const rooms = createRooms();
  run(rooms, 'a', true);
  expect(roomOf(rooms, 'a')).toBe(START + 1);
  run(rooms, 'a', true, 1000);
  expect(roomOf(rooms, 'a')).toBe(64);
});

test('a target is roomy while at most half of its room is taken', () => {
  const rooms = createRooms();
  for (let taken = 0; taken < START / 2; taken += 1) rooms.begin('a');
  expect(rooms.isRoomy('a')).toBe(true);
  rooms.begin('a');
  expect(rooms.isRoomy('a')).toBe(false);
});

test('what fails gets less, but never none', () => {
  const rooms = createRooms();
  run(rooms, 'a', false, 10);
  expect(roomOf(rooms, 'a')).toBe(2);
  rooms.begin('a');
  rooms.begin('a');
  expect(roomOf(rooms, 'a')).toBe(0);
});

test('any number of dead targets leaves half of all room to the others', () => {
  const rooms = createRooms();
  for (let target = 0; target < 2000; target += 1) run(rooms, `dead ${target}`, false, 3);
  const before = rooms.free();
  for (const { webhook_id, room } of rooms.list()) for (let i = 0; i < room; i += 1) rooms.begin(webhook_id);
  expect(before - rooms.free()).toBeLessThanOrEqual(before / 2);
  expect(rooms.list().every(({ room }) => room === 0)).toBe(true);
});
