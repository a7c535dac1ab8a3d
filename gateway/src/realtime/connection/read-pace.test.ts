import { createReadPace } from './read-pace.ts';

/** A client that has `bytes` to read, and reads 20 KiB whenever its buffer is polled. */
function slowReader(bytes: number) {
  const state = { buffered: bytes, isOpen: true, closedWith: 0 };
  const reader = {
    get isOpen() {
      return state.isOpen;
    },
    get buffered() {
      return (state.buffered -= 20 * 1024);
    },
    close(code: number) {
      state.closedWith = code;
      state.isOpen = false;
    },
  };
  return { state, reader };
}

const MEBIBYTE = 1024 * 1024;

test('a client that reads steadily but too slowly is closed when its waits add up to the total', async () => {
  const { state, reader } = slowReader(MEBIBYTE);
  const pace = createReadPace(reader, { stallMs: 60_000, totalMs: 3_000 });
  let waits = 0;
  for (; state.isOpen && waits < 2_000; waits++) {
    state.buffered = MEBIBYTE / 2;
    await pace.untilRead();
  }
  expect(state.closedWith).toBe(1013);
  expect(waits).toBeGreaterThan(1);
  expect(waits).toBeLessThan(1_000);
}, 60_000);

test('a client that has read everything in time is not closed', async () => {
  const { state, reader } = slowReader(MEBIBYTE / 2);
  await createReadPace(reader, { stallMs: 60_000, totalMs: 60_000 }).untilRead();
  expect(state).toMatchObject({ isOpen: true, closedWith: 0 });
  expect(state.buffered).toBeLessThanOrEqual(256 * 1024);
});
