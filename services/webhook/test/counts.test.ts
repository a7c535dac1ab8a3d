import { randomUUID } from 'node:crypto';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { until } from '@parley/testing';
import { foldDeliveryCounts } from '../src/sql/delivery-count.ts';
import { foldCounts } from '../src/timers/fold-counts.ts';
import { sweepDeliveries } from '../src/timers/sweep-deliveries.ts';
import { messageCreated } from './support/events.ts';
import { startWebhooks, type Platform } from './support/platform.ts';
import { registerActive } from './support/webhooks.ts';

const DAY_MS = 86_400_000;
const { PENDING, DELIVERED, DEAD } = DeliveryStatus;

let platform: Platform;
let receiver: Receiver;
let appId: string;
let webhook: { id: string };

beforeAll(async () => {
  platform = await startWebhooks();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  appId = randomUUID();
  receiver = await startReceiver();
  webhook = await registerActive(platform, appId, { target_url: receiver.url });
});
afterEach(() => receiver.stop());

/** Svc-Count: of all, pending, delivered and dead. */
async function totals(): Promise<number[]> {
  const of = async (status: DeliveryStatus) =>
    (await platform.webhooks.listDeliveries({ appId, webhookId: webhook.id, status, pageSize: 1 })).total;
  return Promise.all([DeliveryStatus.UNSPECIFIED, PENDING, DELIVERED, DEAD].map(of));
}
function untilTotals(...expected: number[]) {
  return until(async () => (await totals()).join() === expected.join() || undefined, {
    withinMs: 20_000,
    what: `the totals are ${expected.join()}`,
  });
}
/** The service's own timer may run at the same time; then each skips the rows that the other has locked. */
function untilFolded(rows: number) {
  return until(
    async () => {
      await foldCounts(platform.ctx);
      const query = { text: 'select from delivery_count where app_id = $1', values: [appId] };
      return (await platform.ctx.db.execute(query)) === rows || undefined;
    },
    { withinMs: 20_000, what: `${rows} rows are left` },
  );
}

test('the number of deliveries of each status follows their changes', async () => {
  await platform.publish(messageCreated(appId), messageCreated(appId));
  await untilTotals(2, 0, 2, 0);
  receiver.respond = (_, response) => response.writeHead(500).end();
  await platform.publish(messageCreated(appId));
  await untilTotals(3, 1, 2, 0);
  receiver.respond = () => undefined;
  const range = { appId, webhookId: webhook.id, from: 0, until: platform.clock.now() + DAY_MS };
  await platform.webhooks.replayDeliveries({ ...range, status: DELIVERED });
  await untilTotals(3, 3, 0, 0);
});

test('replaying a delivery updates the counts, also several times at once', async () => {
  await platform.publish(messageCreated(appId));
  await untilTotals(1, 0, 1, 0);
  receiver.respond = () => undefined;
  const { deliveries } = await platform.webhooks.listDeliveries({ appId, webhookId: webhook.id });
  const key = { appId, webhookId: webhook.id, id: deliveries[0]!.id };
  await Promise.all(Array.from({ length: 5 }, () => platform.webhooks.replayDelivery(key)));
  expect(await totals()).toEqual([1, 1, 0, 0]);
});

test('deliveries erased with a user are not counted any more', async () => {
  await platform.publish(messageCreated(appId), messageCreated(appId));
  await untilTotals(2, 0, 2, 0);
  await platform.publish({ appId, body: { case: 'userErased', value: { userId: 'ada' } } });
  await untilTotals(0, 0, 0, 0);
});

test('deliveries removed by age are not counted any more, and leave no row of counts', async () => {
  await platform.publish(messageCreated(appId));
  await untilTotals(1, 0, 1, 0);
  platform.clock.advance(4 * DAY_MS);
  await sweepDeliveries(platform.ctx);
  await untilTotals(0, 0, 0, 0);
  await untilFolded(0);
});

test('deltas are folded into one row for each status', async () => {
  for (let i = 0; i < 5; i++) await platform.publish(messageCreated(appId));
  await untilTotals(5, 0, 5, 0);
  await untilFolded(1);
  expect(await totals()).toEqual([5, 0, 5, 0]);
});

test('counts in constant use do not keep other counts from being folded', async () => {
  const last = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
  await platform.ctx.db.execute({
    text: `
      insert into delivery_count (app_id, webhook_id, status, delta)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), 1, 1
      from generate_series(1, 1200) as n`,
  });
  await platform.ctx.db.execute({
    text: 'insert into delivery_count select app_id, webhook_id, status, 1 from delivery_count',
  });
  await platform.ctx.db.execute({
    text: `
      insert into delivery_count (app_id, webhook_id, status, delta)
      select $1, $1, 1, 1 from generate_series(1, 300)`,
    values: [last],
  });
  await foldDeliveryCounts(platform.ctx.db);
  const rows = await platform.ctx.db.query({
    text: 'select delta::int from delivery_count where app_id = $1',
    values: [last],
  });
  expect(rows).toEqual([{ delta: 300 }]);
});
