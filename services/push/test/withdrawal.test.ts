import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { WITHDRAWAL_HINTS } from '@parley/domain/events';
import { WithdrawalHintsSchema } from '@parley/proto/parley/live/v1/live_pb';
import { fcmError } from '@parley/testing/doubles/fcm-service';
import { until } from '@parley/testing';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

let platform: Platform;
let appId: string;
let android: Device;
let iphone: Device;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  const { fcm, apns, known, admin } = platform;
  appId = randomUUID();
  android = { userId: 'bob', deviceId: randomUUID(), type: 'fcm', token: randomUUID(), details: {} };
  const token = randomUUID().replaceAll('-', '');
  iphone = { userId: 'bob', deviceId: randomUUID(), type: 'apns', token, details: {} };
  Object.assign(known, { devices: [android, iphone], unwanted: new Set(), unread: 2, external: 5 });
  for (const service of [fcm, apns]) service.received.length = 0;
  fcm.respond = (_received, response) => response.end('{"name": "one"}');
  apns.respond = () => ({ status: 200 });
  const serviceAccount = fcm.serviceAccount();
  await admin.setPushCredentials({ appUuid: appId, provider: 'fcm', serviceAccount });
  await admin.setPushCredentials({ appUuid: appId, provider: 'apns', ...apns.credentials });
});

type Pushed = { conversationId: string; messageId: string };

/** Pushes a message to devices, and waits until their push services have it. */
async function push(devices: readonly Device[], changes: Partial<Pushed> = {}): Promise<Pushed> {
  const before = (await rows()).length;
  const event = pushRequested(appId, devices, changes);
  await platform.publish(event);
  await until(
    async () => {
      const all = await rows();
      return (all.length === before + devices.length && all.every(({ status }) => status === 2)) || undefined;
    },
    {
      withinMs: 20_000,
      what: 'the pushes are delivered',
    },
  );
  return event.body.value;
}

type Row = {
  status: number;
  due_at: number;
  withdrawal_version: number | null;
  is_claimed: boolean;
  is_withdrawn: boolean;
};

function rows(): Promise<Row[]> {
  const text = `
    select status, due_at, withdrawal_version, claimed_by is not null as is_claimed, withdrawn_at is not null as is_withdrawn
    from delivery where app_id = $1 order by withdrawal_version nulls first, id`;
  return platform.ctx.db.query<Row>({ text, values: [appId] });
}

/** Says what messaging does when the user has read something of a conversation. */
function hint(conversationId: string, userId = 'bob'): void {
  const message = create(WithdrawalHintsSchema, { hints: [{ appId, conversationId, userId }] });
  platform.ctx.bus.publishLive(WITHDRAWAL_HINTS, toBinary(WithdrawalHintsSchema, message));
}

/** Resolves when as many withdrawals wait, and none is being sent. */
function waiting(count: number): Promise<Row[]> {
  return until(
    async () => {
      const all = await rows();
      const waits = all.filter(({ withdrawal_version }) => withdrawal_version !== null);
      return (waits.length === count && !waits.some(({ is_claimed }) => is_claimed) && all) || undefined;
    },
    { withinMs: 20_000, what: `${count} withdrawals wait` },
  );
}

/** The user reads messages of a conversation elsewhere, and the phones hear of it. */
async function read(...pushed: Pushed[]): Promise<void> {
  for (const { conversationId, messageId } of pushed) {
    platform.known.unwanted.add(messageId);
    hint(conversationId);
  }
  const phones = platform.known.devices.filter(({ type }) => type !== 'web').length;
  await waiting(phones);
  platform.clock.advance(2_500);
  await waiting(0);
}

test('what was read elsewhere is taken away from phones by one silent push each, with the present badge', async () => {
  const browser = await platform.subscribe(appId, 'bob');
  const first = await push([android, iphone, browser]);
  const second = await push([android, iphone], { conversationId: first.conversationId });
  const unread = await push([android, iphone]);
  await read(first, second);
  const withdraw = [second, first].map(({ messageId }) => `svc:///messages/${messageId}`);
  expect(platform.fcm.received.slice(3).map(({ message }) => message)).toEqual([
    {
      token: android.token,
      data: { withdraw: JSON.stringify(withdraw), badge: '7' },
      android: { priority: 'NORMAL', collapse_key: 'withdraw', ttl: '86400s' },
    },
  ]);
  const [silent, ...more] = platform.apns.received.slice(-1);
  expect(more).toEqual([]);
  expect(silent).toMatchObject({
    token: iphone.token,
    headers: { 'apns-push-type': 'background', 'apns-priority': '5', 'apns-collapse-id': 'withdraw' },
    payload: { aps: { 'content-available': 1 }, withdraw, badge: 7 },
  });
  expect(platform.apns.faults).toEqual([]);
  // Each withdrawal repeats what was withdrawn before, for a phone that was away.
  await read(unread);
  expect(platform.fcm.received.at(-1)?.message.data?.['withdraw']).toBe(
    JSON.stringify([`svc:///messages/${unread.messageId}`, ...withdraw]),
  );
  expect([platform.fcm.received.length, platform.apns.received.length]).toEqual([5, 5]);
});

test('a message that is deleted for all is taken away, one that is unread stays, and other conversations cost nothing', async () => {
  const deleted = await push([android]);
  await push([android], { conversationId: deleted.conversationId });
  hint(randomUUID());
  hint(deleted.conversationId, 'ann');
  hint(deleted.conversationId);
  await waiting(1);
  platform.clock.advance(2_500);
  await waiting(0);
  expect(platform.fcm.received).toHaveLength(2);
  platform.known.unwanted.add(deleted.messageId);
  hint(deleted.conversationId, '');
  await waiting(1);
  platform.clock.advance(2_500);
  await waiting(0);
  expect((await rows()).map(({ is_withdrawn }) => is_withdrawn)).toEqual([true, false]);
  expect(platform.fcm.received).toHaveLength(3);
});

test('a withdrawal that fails is repeated and then given up, without a dead letter or a line in the list of pushes', async () => {
  platform.known.devices = [android];
  const pushed = await push([android]);
  platform.fcm.respond = (_received, response) => response.writeHead(503).end(fcmError(503, 'UNAVAILABLE'));
  platform.known.unwanted.add(pushed.messageId);
  hint(pushed.conversationId);
  for (const [attempt, delay] of [2_500, 3_000, 13_000].entries()) {
    await waiting(1);
    platform.clock.advance(delay);
    await platform.fcm.wait(2 + attempt);
  }
  await waiting(1);
  platform.clock.advance(40_000);
  expect((await waiting(0)).map(({ status, is_withdrawn }) => [status, is_withdrawn])).toEqual([[2, false]]);
  expect((await platform.pushes.listPushes({ appId, userId: 'bob' })).total).toBe(1);
  // The next message that the user reads in the conversation makes up for it.
  platform.fcm.respond = (_received, response) => response.end('{"name": "one"}');
  await read(pushed);
  expect((await rows())[0]!.is_withdrawn).toBe(true);
});

test('what is read while a withdrawal is under way is taken away by another one', async () => {
  platform.known.devices = [android];
  const [first, second] = [await push([android]), await push([android])];
  let answer: (() => void) | undefined;
  platform.fcm.respond = (_received, response) => (answer = () => response.end('{"name": "one"}'));
  platform.known.unwanted.add(first.messageId);
  hint(first.conversationId);
  await waiting(1);
  platform.clock.advance(2_500);
  await platform.fcm.wait(3);
  platform.known.unwanted.add(second.messageId);
  hint(second.conversationId);
  await until(async () => (await rows()).some((row) => row.withdrawal_version === 2) || undefined, {
    withinMs: 20_000,
    what: 'the withdrawal is asked for again',
  });
  platform.fcm.respond = (_received, response) => response.end('{"name": "one"}');
  answer!();
  await waiting(1);
  platform.clock.advance(2_500);
  await waiting(0);
  expect((await rows()).map(({ is_withdrawn }) => is_withdrawn)).toEqual([true, true]);
  expect(platform.fcm.received).toHaveLength(4);
});

test('what was read before a slow push service has accepted it is taken away once it has', async () => {
  platform.known.devices = [android];
  let accept: (() => void) | undefined;
  platform.fcm.respond = (_received, response) => (accept = () => response.end('{"name": "one"}'));
  const event = pushRequested(appId, [android]);
  await platform.publish(event);
  await platform.fcm.wait(1);
  const { conversationId, messageId } = event.body.value;
  platform.known.unwanted.add(messageId);
  hint(conversationId);
  const dueAt = async () => (await waiting(1)).at(-1)!.due_at;
  const before = await dueAt();
  platform.clock.advance(2_500);
  await until(async () => (await dueAt()) > before || undefined, {
    withinMs: 20_000,
    what: 'the withdrawal is looked at again',
  });
  platform.fcm.respond = (_received, response) => response.end('{"name": "one"}');
  accept!();
  await until(async () => (await rows()).some(({ status }) => status === 2) || undefined, {
    withinMs: 20_000,
    what: 'the push is accepted',
  });
  platform.clock.advance(2_500);
  await waiting(0);
  expect((await rows()).map(({ is_withdrawn }) => is_withdrawn)).toEqual([true]);
  expect(platform.fcm.received.at(-1)?.message.data?.['withdraw']).toBe(
    JSON.stringify([`svc:///messages/${messageId}`]),
  );
});

test('a phone that collapses conversations loses the notification of one whose newest message was read', async () => {
  platform.known.devices = [android];
  await platform.admin.setPushSettings({ appUuid: appId, collapseByConversation: true });
  const first = await push([android]);
  const newest = await push([android], { conversationId: first.conversationId });
  await read(first);
  await read(newest);
  const withdrawn = platform.fcm.received.slice(2).map(({ message }) => message.data?.['withdraw']);
  const ids = [first, newest].map(({ messageId }) => `svc:///messages/${messageId}`);
  const conversation = `svc:///conversations/${first.conversationId}`;
  expect(withdrawn.map((list) => JSON.parse(list ?? '') as string[])).toEqual([
    [ids[0]],
    [conversation, ids[1], ids[0]],
  ]);
});

test('a phone that its push service does not know any more is unregistered, one that has logged out gets nothing', async () => {
  platform.known.devices = [iphone];
  const pushed = await push([iphone]);
  platform.apns.respond = () => ({ status: 410, reason: 'Unregistered' });
  await read(pushed);
  expect(platform.known.devices).toEqual([]);
  platform.known.devices = [android];
  const other = await push([android]);
  platform.known.unwanted.add(other.messageId);
  platform.known.devices = [];
  hint(other.conversationId);
  await waiting(1);
  platform.clock.advance(2_500);
  await waiting(0);
  expect(platform.fcm.received).toHaveLength(1);
});
