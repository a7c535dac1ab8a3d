import type { IncomingMessage } from 'node:http';
import { createRefusedSockets } from './refused-sockets.ts';

function from(address: string): IncomingMessage {
  return { socket: { remoteAddress: address } } as IncomingMessage;
}

function create() {
  return createRefusedSockets(({ socket }) => socket.remoteAddress ?? '');
}

test('an address has slots until they are given back, and no more for giving one back twice', () => {
  const slots = create();
  const held = Array.from({ length: 50 }, () => slots.take(from('a')));
  expect(held.every((release) => release !== undefined)).toBe(true);
  expect(slots.take(from('a'))).toBeUndefined();
  expect(slots.take(from('b'))).toBeDefined();
  held[0]?.();
  held[0]?.();
  expect(slots.take(from('a'))).toBeDefined();
  expect(slots.take(from('a'))).toBeUndefined();
});

test('all addresses together have a thousand slots', () => {
  const slots = create();
  const held = Array.from({ length: 1_000 }, (_, index) => slots.take(from(`address ${index}`)));
  expect(held.every((release) => release !== undefined)).toBe(true);
  expect(slots.take(from('another'))).toBeUndefined();
  held[7]?.();
  expect(slots.take(from('another'))).toBeDefined();
});
