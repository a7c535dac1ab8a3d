import type { Bus } from './index.ts';
import { createTestClock } from '../runtime/clock/index.ts';
import { createRebroadcast } from './rebroadcast.ts';

function start() {
  const clock = createTestClock(0);
  const told: string[] = [];
  const bus = { publishLive: (subject: string) => void told.push(subject) } as unknown as Bus;
  return { clock, told, rebroadcast: createRebroadcast({ bus, clock }) };
}
const nothing = new Uint8Array();

test('each message is published once more after a second', () => {
  const { clock, told, rebroadcast } = start();
  rebroadcast.add('first', nothing);
  clock.advance(600);
  rebroadcast.add('second', nothing);
  clock.advance(399);
  expect(told).toEqual([]);
  clock.advance(1);
  expect(told).toEqual(['first']);
  clock.advance(600);
  expect(told).toEqual(['first', 'second']);
  rebroadcast.add('third', nothing);
  clock.advance(10_000);
  expect(told).toEqual(['first', 'second', 'third']);
});

test('waiting messages are published when the process stops, and none afterwards', () => {
  const { clock, told, rebroadcast } = start();
  rebroadcast.add('one', nothing);
  rebroadcast.add('two', nothing);
  rebroadcast.stop();
  expect(told).toEqual(['one', 'two']);
  clock.advance(10_000);
  expect(told).toHaveLength(2);
});
