import { watchEnvironment } from '../../src/connection/environment.ts';
import { until } from '../../../../test/support/until.ts';
import { scriptedPlatform, type ScriptedPlatform, type ScriptedSocket } from '../sync/scripted-platform.ts';

const { jest } = import.meta;

type Page = { document?: EventTarget & { visibilityState: string } };

/** A page for the time of a test: events of the window, and a document that is visible or not. */
function openPage() {
  const [window, document] = [new EventTarget(), new EventTarget()];
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  Object.assign(globalThis, {
    addEventListener: addEventListener.bind(window),
    removeEventListener: removeEventListener.bind(window),
    document: Object.assign(document, { visibilityState: 'visible' }),
  });
  return { window, document: (globalThis as Page).document! };
}

let page: ReturnType<typeof openPage>;
beforeEach(() => void (page = openPage()));
afterEach(() => {
  jest.useRealTimers();
  for (const name of ['addEventListener', 'removeEventListener', 'document'])
    delete (globalThis as Record<string, unknown>)[name];
});

test('a visible page asks every five seconds whether the connection is silent, and a hidden one never', () => {
  jest.useFakeTimers();
  const probes: number[] = [];
  const stop = watchEnvironment({
    returned: () => undefined,
    probe: (silentForMs) => probes.push(silentForMs),
  });
  jest.advanceTimersByTime(10_000);
  expect(probes).toEqual([14_000, 14_000]);
  page.document.visibilityState = 'hidden';
  jest.advanceTimersByTime(600_000);
  page.document.dispatchEvent(new Event('visibilitychange'));
  expect(probes).toHaveLength(2);
  page.document.visibilityState = 'visible';
  page.document.dispatchEvent(new Event('visibilitychange'));
  page.window.dispatchEvent(new Event('offline'));
  expect(probes.slice(2)).toEqual([0, 0]);
  stop();
  page.window.dispatchEvent(new Event('offline'));
  jest.advanceTimersByTime(60_000);
  expect(probes).toHaveLength(4);
});

describe('a client that is online', () => {
  let platform: ScriptedPlatform;
  let socket: ScriptedSocket;
  const status = () => platform.client.connection.getSnapshot().status;
  const probes = () => socket.requests.filter(({ method }) => method === 'Counter.read').length;

  beforeEach(async () => {
    platform = scriptedPlatform();
    socket = await until('the socket', () => platform.sockets[0]);
    socket.sayHello();
    (await until('the list', () => platform.lists[0])).resolve();
    await until('online', () => status() === 'online' || undefined);
  });
  afterEach(() => platform.client.destroy());

  test('asks once when the browser says that it is offline, and stays online with an answer', async () => {
    for (let times = 0; times < 3; times++) page.window.dispatchEvent(new Event('offline'));
    expect(probes()).toBe(1);
    socket.answer({ counter: 1 });
    await until('another question', () => {
      page.window.dispatchEvent(new Event('offline'));
      return probes() === 2 || undefined;
    });
    expect(status()).toBe('online');
  });

  test('is offline five seconds after a question without an answer', async () => {
    const askedAt = performance.now();
    page.window.dispatchEvent(new Event('offline'));
    await until('offline', () => status() !== 'online' || undefined);
    expect(performance.now() - askedAt).toBeLessThan(7_000);
  });

  test('asks when a request has no answer after five seconds', async () => {
    // Its answer is a list that the test does not give.
    const asked = platform.client.request('GET', '/conversations/slow').catch(() => undefined);
    await until('the question', () => probes() === 1 || undefined);
    platform.lists.at(-1)?.resolve();
    await asked;
  });
});
