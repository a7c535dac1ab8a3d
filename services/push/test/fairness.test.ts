import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import { until } from '@parley/testing';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

/** A number of pushes larger than may be under way at a time. */
const BACKLOG = 1_200;
const OTHERS = 40;

let platform: Platform;
/** Requests that are not answered until their test is over. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(() => {
  platform.known.devices = [];
  platform.fcm.grants = 'at once';
});

afterEach(() => {
  for (const response of held.splice(0)) response.end('{"name": "one"}');
  platform.apns.cut();
});

type Provider = 'fcm' | 'apns';

async function createAppOf(provider: Provider): Promise<string> {
  const appUuid = randomUUID();
  const { fcm, apns, admin } = platform;
  const serviceAccount = fcm.serviceAccount();
  await admin.setPushCredentials({
    ...{ appUuid, provider },
    ...(provider === 'fcm' ? { serviceAccount } : apns.credentials),
  });
  return appUuid;
}

function phonesOf(userId: string, provider: Provider, count: number): Device[] {
  const phones = Array.from({ length: count }, () => ({
    ...{ userId, deviceId: randomUUID(), type: provider, details: {} },
    token: randomUUID().replaceAll('-', ''),
  }));
  platform.known.devices.push(...phones);
  return phones;
}

async function countDelivered(appId: string): Promise<number> {
  return platform.ctx.db.execute({
    text: 'select from delivery where app_id = $1 and status = $2',
    values: [appId, PushDeliveryStatus.DELIVERED],
  });
}

function untilDelivered(appId: string, count: number): Promise<true> {
  const isReached = async () => (await countDelivered(appId)) === count || undefined;
  return until(isReached, { withinMs: 60_000, what: `${count} pushes are delivered` });
}

test.each(['fcm', 'apns'] as const)(
  'a %s that answers nothing to one application delays no other application',
  async (provider) => {
    const [stuck, other] = [await createAppOf(provider), await createAppOf(provider)];
    const silenced = phonesOf('ada', provider, BACKLOG);
    const tokens = new Set(silenced.map(({ token }) => token));
    let unanswered = 0;
    platform.fcm.respond = ({ message: { token } }, response) =>
      tokens.has(token) ? void (unanswered = held.push(response)) : response.end('{"name": "one"}');
    platform.apns.respond = ({ token }) => (tokens.has(token) ? void (unanswered += 1) : { status: 200 });
    await platform.publish(pushRequested(stuck, silenced));
    await until(() => unanswered > 3 || undefined, { withinMs: 20_000, what: 'some wait for an answer' });
    await platform.publish(pushRequested(other, phonesOf('bob', provider, OTHERS)));
    await untilDelivered(other, OTHERS);
    // The others did not wait for their turn behind the backlog.
    expect(unanswered).toBeLessThan(BACKLOG);
    expect(await countDelivered(stuck)).toBe(0);
  },
  120_000,
);

test('a Google that gives out no tokens delays no application that has one', async () => {
  const [stuck, other] = [await createAppOf('fcm'), await createAppOf('fcm')];
  platform.fcm.respond = (_received, response) => response.end('{"name": "one"}');
  await platform.publish(pushRequested(other, phonesOf('bob', 'fcm', 1)));
  await untilDelivered(other, 1);
  platform.fcm.grants = 'silence';
  const account = platform.fcm.serviceAccount({ client_email: 'other@example.com' });
  const isVerified = platform.admin.setPushCredentials({
    ...{ appUuid: stuck, provider: 'fcm', serviceAccount: account },
  });
  expect(await isVerified).toMatchObject({ isVerified: false });
  await platform.publish(pushRequested(stuck, phonesOf('ada', 'fcm', BACKLOG)));
  await platform.publish(pushRequested(other, phonesOf('cem', 'fcm', OTHERS)));
  await untilDelivered(other, OTHERS + 1);
}, 120_000);
