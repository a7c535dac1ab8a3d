import type { BenchSocket } from '../client.ts';
import { createChannel, driveDeliveries } from './deliveries.ts';

const PACKET = '{"type":"change","body":{"operation":"create","object":{"type":"Message","id":"…"}}}';

/** Sockets of a sender and recipients on which nothing arrives unless the test says so. */
function createSockets(count: number) {
  const listeners: ((text: string) => void)[] = [];
  let sent = 0;
  const sockets = Array.from({ length: count }, (_, index): BenchSocket => {
    return {
      request: () => ((sent += 1), Promise.resolve('')),
      signal: () => undefined,
      onPacket: (listener) => void (listeners[index] = listener),
      bytes: () => 0,
      close: () => undefined,
    };
  });
  return { sockets, arrive: (index: number, text = PACKET) => listeners[index]?.(text), sent: () => sent };
}

test('a message is complete when its last recipient has it, and makes room for the next', async () => {
  const { sockets, arrive, sent } = createSockets(2);
  const channel = createChannel(sockets[0]!, 'c', sockets);
  const driven = driveDeliveries([channel], { total: 3, outstanding: 2 });
  expect(sent()).toBe(2);
  arrive(0);
  arrive(0);
  arrive(1, '{"type":"change","body":{"operation":"update","object":{"type":"Conversation"}}}');
  expect(sent()).toBe(2);
  arrive(1);
  expect(sent()).toBe(3);
  arrive(1);
  expect(sent()).toBe(3);
  arrive(1);
  arrive(0);
  const times = await driven;
  expect(times).toHaveLength(3);
  expect(times.every((ms) => ms >= 0)).toBe(true);
});

test('the number under way is that of each channel', async () => {
  const { sockets, arrive, sent } = createSockets(4);
  const channels = [0, 2].map((at) => createChannel(sockets[at]!, 'c', [sockets[at + 1]!]));
  const driven = driveDeliveries(channels, { total: 5, outstanding: 2 });
  expect(sent()).toBe(4);
  for (const at of [1, 1, 3, 3, 1]) arrive(at);
  expect(await driven).toHaveLength(5);
  expect(sent()).toBe(5);
});

test('a refused send ends the run', async () => {
  const { sockets } = createSockets(1);
  const refused = { ...sockets[0]!, request: () => Promise.reject(new Error('rate_limited')) };
  const driven = driveDeliveries([createChannel(refused, 'c', sockets)], { total: 2, outstanding: 1 });
  await expect(driven).rejects.toThrow('rate_limited');
});
