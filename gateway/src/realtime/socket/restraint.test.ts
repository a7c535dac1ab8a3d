import { createRestraint, MOST_PAUSES, PAUSE_MS } from './restraint.ts';

/** A socket at a time set by the test, with `left` refusals left. */
function restrained(left: number) {
  const done: string[] = [];
  const state = { now: 0, left, done };
  const refused = createRestraint({
    connection: { close: (code, reason) => void done.push(`${code} ${reason}`) },
    packetQueue: { pause: (ms) => void done.push(`pause ${ms}`) },
    countRefusal: () => (state.left -= 1) >= 0,
    now: () => state.now,
  });
  return { state, done, refused };
}

const PAUSE = `pause ${PAUSE_MS}`;

test('refusals within the rate have no consequence, and the next one pauses reading, once', () => {
  const { done, refused } = restrained(3);
  for (let n = 0; n < 3; n++) refused();
  expect(done).toEqual([]);
  for (let n = 0; n < 3; n++) refused();
  expect(done).toEqual([PAUSE]);
});

test('a client that goes on after five pauses loses its socket', () => {
  const { state, done, refused } = restrained(0);
  for (let n = 0; n <= MOST_PAUSES; n++) {
    refused();
    state.now += PAUSE_MS;
  }
  expect(done).toEqual([...Array.from({ length: MOST_PAUSES }, () => PAUSE), '4429 rate_limit_exceeded']);
});

test('a client that is refused too often from time to time keeps its socket', () => {
  const { state, done, refused } = restrained(0);
  for (let n = 0; n < 3 * MOST_PAUSES; n++) {
    refused();
    state.now += PAUSE_MS + 10_000;
  }
  expect(new Set(done)).toEqual(new Set([PAUSE]));
});
