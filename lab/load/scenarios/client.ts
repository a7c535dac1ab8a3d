import { createClient, memoryStorage } from '@parley/client';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { uuidOf, type TestApp } from '../../../test/support/app.ts';
import type { Bench } from '../bench.ts';
import { inBrowser } from './client-browser.ts';
import { APP_ID, fillStore, offlineClient, platformOf, until, untilCounted } from './client-records.ts';
import type { Figures } from '../stats.ts';

/** The client library: packets applied, a store opened, changes missed, memory; the first two also in Chromium, if it is there. */
export async function client(bench: Bench): Promise<Figures[]> {
  const scale = Math.min(1, bench.scale);
  return [
    // First: what the others leave behind would count.
    await held(bench, 10_000 * scale),
    await applied(bench, 100_000 * scale),
    await opened(bench, { conversations: 1_000 * scale, messages: 50_000 * scale }),
    await missed(bench, 10_000 * scale),
    ...(await inBrowser(bench, scale)),
  ];
}

/** A replay of `create Message` packets over 50 conversations, which a socket in this process hands over as texts. */
async function applied(bench: Bench, count: number): Promise<Figures> {
  const storage = memoryStorage();
  await fillStore(storage, { appId: APP_ID, conversations: 50, messages: 0 });
  const platform = platformOf(count, 50);
  const figures = await bench.measure('client: packets applied', count, async () => {
    const device = offlineClient(platform, storage);
    await untilCounted(device, count);
    await device.destroy();
    return [];
  });
  return { ...figures, note: `${Math.round(count / figures.seconds).toLocaleString('en')} a second` };
}

async function opened(bench: Bench, size: { conversations: number; messages: number }): Promise<Figures> {
  const storage = memoryStorage();
  await fillStore(storage, { appId: APP_ID, ...size });
  const figures = await bench.measure('client: first list of an opened store', 1, async () => {
    const device = offlineClient(platformOf(0, 1), storage);
    await until(device.conversations(), ({ items }) => items.length === size.conversations);
    await device.destroy();
    return [];
  });
  const note = `${Math.round(figures.seconds * 1000)} ms for ${size.conversations} conversations, ${size.messages} messages`;
  return { ...figures, note };
}

/** Messages that were sent while the device was away, from the real platform. */
async function missed(bench: Bench, count: number): Promise<Figures> {
  const { app } = bench;
  const [ada] = [await app.login('missed-ada'), await app.login('missed-grace')];
  const made = await ada.call('POST', '/conversations', 201, { body: { participants: ['missed-grace'] } });
  const device = createClient({
    ...{ url: app.baseUrl, appId: app.appId },
    identityToken: (nonce) => app.identityToken('missed-grace', { nonce }),
  });
  await until(device.connection, ({ status }) => status === 'online');
  device.disconnect();
  await send(app, uuidOf(made.body.id), count);
  const list = device.conversations();
  const figures = await bench.measure('client: missed changes caught up', count, async () => {
    device.connect();
    await until(list, ({ items }) => items[0]?.unreadCount === count);
    return [];
  });
  await device.destroy();
  return { ...figures, note: `${figures.seconds.toFixed(2)} s` };
}

const AT_ONCE = 12;

async function send(app: TestApp, conversation: string, count: number): Promise<void> {
  const one = { sender_id: 'missed-ada', parts: [{ mime_type: 'text/plain', body: 'While you were away' }] };
  const batches = Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, index) =>
    Array.from({ length: Math.min(AT_ONCE, count - index * AT_ONCE) }, () => one),
  );
  const work = async (): Promise<void> => {
    for (let body = batches.pop(); body; body = batches.pop())
      await app.server('POST', `/conversations/${conversation}/messages`, 202, { body });
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** Bytes of the heap that messages in memory and in a window take. */
async function held(bench: Bench, count: number): Promise<Figures> {
  setFlagsFromString('--expose_gc');
  const gc = runInNewContext('gc') as () => void;
  const collect = async (): Promise<void> => {
    // Promises that are settled let go of what they hold at the next turn.
    for (let turn = 0; turn < 3; turn++) {
      gc();
      await nextTurn();
    }
  };
  const storage = memoryStorage();
  await collect();
  const before = process.memoryUsage().heapUsed;
  await fillStore(storage, { appId: APP_ID, conversations: 1, messages: count });
  const device = offlineClient(platformOf(0, 1), storage);
  const conversations = device.conversations();
  await until(conversations, ({ items }) => items.length === 1);
  const messages = conversations.getSnapshot().items[0]!.messages({ pageSize: 100 });
  const figures = await bench.measure('client: messages shown', count, async () => {
    await until(messages, ({ items }) => items.length > 0);
    while (messages.getSnapshot().hasOlder) await messages.loadOlder();
    return [];
  });
  await collect();
  const bytes = process.memoryUsage().heapUsed - before;
  await device.destroy();
  const note = `${(bytes / 1e6 / (count / 10_000)).toFixed(1)} MB for 10,000 messages`;
  return { ...figures, note };
}
