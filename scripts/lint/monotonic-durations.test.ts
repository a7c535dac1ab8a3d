import { Linter } from 'eslint';
import { monotonicDurations } from './monotonic-durations.ts';

const linter = new Linter();
const config = {
  plugins: { parley: { rules: { 'monotonic-durations': monotonicDurations } } },
  rules: { 'parley/monotonic-durations': 'error' },
} as const;

function faultsOf(code: string): (string | undefined)[] {
  return linter.verify(code, config).map(({ messageId, message }) => messageId ?? message);
}

test.each([
  ['what has passed since a moment', 'const began = clock.now(); later(() => clock.now() - began);', 'wall'],
  [
    'the same by the clock of a context',
    'const began = ctx.clock.now(); if (ctx.clock.now() - began > 5) give();',
    'wall',
  ],
  ['the rest until a deadline', 'const end = clock.now() + 500; wait(end - clock.now());', 'wall'],
  ['a deadline that has passed', 'const end = clock.now() + 500; while (clock.now() < end) step();', 'wall'],
  [
    'a moment that is kept',
    'let good = -1; function ask() { const began = clock.now(); good = began; } const fresh = () => clock.now() - good < 9;',
    'wall',
  ],
  [
    'a private clock',
    'class A { #clock; f() { const a = this.#clock.now(); return this.#clock.now() > a; } }',
    'wall',
  ],
  ['the clock of the machine', 'const now = Date.now();', 'machine'],
  ['the clock of the machine, as a function', 'sweep(Date.now);', 'machine'],
])('%s is refused', (_case, code, fault) => {
  expect(faultsOf(code)).toEqual([fault]);
});

test.each([
  ['a time that was stored', 'const isOver = (row) => row.expires_at <= clock.now();'],
  ['the time of an event', 'const late = clock.now() - event.createdAt;'],
  ['an age that is subtracted from the time', 'sweep(clock.now() - DAY_MS);'],
  ['what has elapsed', 'const began = clock.elapsed(); later(() => clock.elapsed() - began);'],
  [
    'what has passed by performance.now',
    'const began = performance.now(); later(() => performance.now() - began);',
  ],
  ['the beginning of a minute', 'const now = clock.now(); const start = now - (now % 60);'],
])('%s is accepted', (_case, code) => {
  expect(faultsOf(code)).toEqual([]);
});
