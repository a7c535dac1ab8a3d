import { randomUUID } from 'node:crypto';
import { newId } from '@parley/domain/ids';
import { expectProblem } from '@parley/domain/testing/problems';
import { until } from '@parley/stack/testing';
import { sweepDeliveries } from '../src/timers/sweep-deliveries.ts';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

const DAY_MS = 86_400_000;

let platform: Platform;
let appId: string;
let browser: Device;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  appId = randomUUID();
  platform.known.devices = [];
  platform.web.respond = (_push, response) => response.writeHead(201).end();
  browser = await platform.subscribe(appId, 'bob');
});

function list(changes: { userId?: string; fromId?: string; pageSize?: number } = {}) {
  return platform.pushes.listPushes({ appId, userId: 'bob', ...changes });
}

test('the pushes to a user are listed newest first, with what became of them and without their text', async () => {
  const first = pushRequested(appId, [browser]);
  await platform.publish(first);
  await platform.settled(appId, 'DELIVERED');
  platform.web.respond = (_push, response) => response.writeHead(400).end('no such thing');
  await platform.publish(pushRequested(appId, [browser], { conversationId: '', messageId: '' }));
  await platform.settled(appId, 'DELIVERED', 'DEAD: 400 no such thing');
  const { pushes, total } = await list();
  expect(total).toBe(2);
  const { conversationId, messageId } = first.body.value;
  expect(pushes.map(({ provider, attempts }) => ({ provider, attempts }))).toEqual([
    { provider: 'web', attempts: 1 },
    { provider: 'web', attempts: 1 },
  ]);
  expect(pushes[0]!.reason).toBe('400 no such thing');
  expect([pushes[0]!.messageId, pushes[0]!.nextAttemptAt]).toEqual([undefined, undefined]);
  expect(pushes[1]).toMatchObject({ conversationId, messageId, deviceId: browser.deviceId });
  expect(JSON.stringify(pushes)).not.toContain('Hello');
  const page = await list({ fromId: pushes[0]!.id, pageSize: 1 });
  expect(page.pushes).toEqual([pushes[1]]);
  expect(page.total).toBe(2);
  expect((await list({ userId: 'cem' })).pushes).toEqual([]);
  await expectProblem(list({ fromId: newId() }), 'invalid_property');
  await expectProblem(list({ fromId: 'nothing' }), 'invalid_property');
});

test('pushes are listed for three days, and no longer than their user', async () => {
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED');
  platform.clock.advance(2.9 * DAY_MS);
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED', 'DELIVERED');
  platform.clock.advance(0.2 * DAY_MS);
  await sweepDeliveries(platform.ctx);
  expect((await list()).total).toBe(1);
  await platform.publish({ appId, body: { case: 'userErased', value: { userId: 'bob' } } });
  await until(async () => (await list()).total === 0 || undefined, {
    withinMs: 20_000,
    what: 'the pushes of the erased user are deleted',
  });
});
