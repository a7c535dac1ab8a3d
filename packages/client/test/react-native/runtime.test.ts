import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as abortController from 'abort-controller';
import { until } from '../../../../test/support/until.ts';
import { expoDatabase, prepareRuntime, sqliteStorage } from '../../src/react-native.ts';
import { CONVERSATION, conversationCreated, messageAt, messageCreated } from '../sync/records.ts';
import { scriptedPlatform } from '../sync/scripted-platform.ts';
import { openAsExpo } from './database.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-runtime-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Hermes lacks these; React Native takes its abort signals from this package.
Reflect.deleteProperty(Promise, 'withResolvers');
Reflect.deleteProperty(Map, 'groupBy');
Reflect.deleteProperty(globalThis, 'TextDecoder');
Object.assign(globalThis, {
  AbortController: abortController.AbortController,
  AbortSignal: abortController.AbortSignal,
});

test('a client works in a runtime without what Hermes lacks, and knows its records at the next start', async () => {
  prepareRuntime();
  const database = openAsExpo(path.join(folder, 'parley.db'));
  const options = { storage: sqliteStorage(() => expoDatabase(database)) };
  const { client, sockets, lists } = scriptedPlatform(options);
  const socket = await until('the socket', () => sockets[0]);
  socket.sayHello();
  (await until('the list', () => lists[0])).resolve();
  await until('online', () => client.connection.getSnapshot().status === 'online' || undefined);
  socket.hand('change', conversationCreated());
  socket.hand('change', messageCreated(messageAt(1)));
  const known = await until('the conversation', () => client.conversation(CONVERSATION).getSnapshot());
  await known.send('Written on a phone');
  await client.destroy();

  const { client: next } = scriptedPlatform(options);
  await next.ready;
  const texts = await until('both messages', () => {
    const { items } = next.messages(CONVERSATION).getSnapshot();
    return items.length === 2 ? items.map(({ text }) => text) : undefined;
  });
  expect(texts[1]).toBe('Written on a phone');
  await next.destroy();
});

test('signals end with the first of several, and after a time', async () => {
  const one = new AbortController();
  const joined = AbortSignal.any([new AbortController().signal, one.signal]);
  expect(joined.aborted).toBe(false);
  one.abort();
  expect(joined.aborted).toBe(true);
  expect(AbortSignal.any([one.signal]).aborted).toBe(true);
  const late = AbortSignal.timeout(1);
  await until('the time is over', () => late.aborted || undefined);
});

test('a signal that lives long has one listener for all that end with it', () => {
  const { signal, abort } = longLived();
  const joined = Array.from({ length: 100 }, () => AbortSignal.any([signal, new AbortController().signal]));
  expect(abort.listeners).toBe(1);
  abort.now();
  expect(joined.every(({ aborted }) => aborted)).toBe(true);
});

/** A signal, and how many listeners it was given. */
function longLived() {
  const ending = new AbortController();
  const { signal } = ending;
  const abort = { listeners: 0, now: () => ending.abort() };
  const add = signal.addEventListener.bind(signal) as (...given: unknown[]) => void;
  Object.assign(signal, {
    addEventListener(...given: unknown[]) {
      abort.listeners++;
      add(...given);
    },
  });
  return { signal, abort };
}

test('what the runtime has stays', () => {
  const own = Object.assign(() => undefined, {});
  const before = Map.groupBy;
  Object.assign(Map, { groupBy: own });
  prepareRuntime();
  expect(Map.groupBy).toBe(own);
  Object.assign(Map, { groupBy: before });
});
