import { createTestClock } from '../../runtime/clock/index.ts';
import { createWheel } from './wheel.ts';

const start = 1_000_000;

function createTestWheel() {
  const clock = createTestClock(start);
  const ran: [number, string[]][] = [];
  const run = (items: string[]): void => void ran.push([clock.now() - start, items]);
  const wheel = createWheel<string>({ clock, run, tickMs: 5 });
  return { clock, ran, wheel };
}

test('items run at the end of their tick, together, in the order of their times', () => {
  const { clock, ran, wheel } = createTestWheel();
  wheel.add('c', start + 20, 'c');
  wheel.add('b', start + 14, 'b');
  wheel.add('a', start + 11, 'a');
  expect(wheel.size).toBe(3);
  clock.advance(14);
  expect(ran).toEqual([]);
  clock.advance(100);
  expect(ran).toEqual([
    [15, ['a', 'b']],
    [20, ['c']],
  ]);
  expect(wheel.size).toBe(0);
});

test('late items run at once, and waiting items are not added again', () => {
  const { clock, ran, wheel } = createTestWheel();
  wheel.add('late', start - 1000, 'late');
  wheel.add('late', start - 1000, 'late again');
  clock.advance(0);
  expect(ran).toEqual([[0, ['late']]]);
  wheel.add('late', start, 'and again');
  clock.advance(5);
  expect(ran[1]).toEqual([0, ['and again']]);
});

test('no item runs after the wheel is stopped', () => {
  const { clock, ran, wheel } = createTestWheel();
  wheel.add('a', start + 10, 'a');
  wheel.stop();
  clock.advance(1000);
  expect(ran).toEqual([]);
});
