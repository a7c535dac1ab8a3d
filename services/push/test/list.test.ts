import { randomUUID } from 'node:crypto';
import { newId } from '@parley/domain/ids';
import { expectProblem } from '@parley/domain/testing/problems';
import { until } from '@parley/testing';
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

describe('a page begins behind a push that is gone', () => {
  async function three(): Promise<string[]> {
    for (let n = 1; n <= 3; n++) {
      await platform.publish(pushRequested(appId, [browser]));
      await platform.settled(appId, ...Array<string>(n).fill('DELIVERED'));
    }
    return (await list()).pushes.map(({ id }) => id);
  }

  test('for a day after the push was deleted, and for nobody else', async () => {
    const [newest, second, third] = await three();
    await platform.ctx.db.execute({
      text: `update delivery set settled_at = settled_at - interval '4 days' where id = $1`,
      values: [second],
    });
    await sweepDeliveries(platform.ctx);
    const ids = async (fromId: string) => (await list({ fromId })).pushes.map(({ id }) => id);
    expect([await ids(newest!), await ids(second!)]).toEqual([[third], [third]]);
    await expectProblem(list({ userId: 'cem', fromId: second! }), 'invalid_property');
    await platform.ctx.db.execute({ text: `update gone_item set gone_at = gone_at - interval '2 days'` });
    await sweepDeliveries(platform.ctx);
    await expectProblem(list({ fromId: second! }), 'invalid_property');
  });

  test('not for the next person with the user id', async () => {
    const [, second] = await three();
    await platform.ctx.db.execute({
      text: `update delivery set settled_at = settled_at - interval '4 days' where id = $1`,
      values: [second],
    });
    await sweepDeliveries(platform.ctx);
    await platform.publish({ appId, body: { case: 'userErased', value: { userId: 'bob' } } });
    await until(
      async () => {
        const rows = await platform.ctx.db.query({
          text: 'select from gone_item where app_id = $1',
          values: [appId],
        });
        return rows.length === 0 || undefined;
      },
      { withinMs: 20_000, what: 'nothing is kept of the erased user' },
    );
    await expectProblem(list({ fromId: second! }), 'invalid_property');
  });
});
