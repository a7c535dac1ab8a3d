import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { createClient, type Client } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import {
  PresenceBatchSchema,
  PresenceService,
  PresenceStatus,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { BlockStep_Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { CALL_TIMEOUT_MS, until } from '@parley/testing';
import { releaseSilentGateways } from '../src/timers/release-silent-gateways.ts';
import { createTestApp, logIn } from './support/app.ts';
import { startMeasured } from './support/measured.ts';
import { startIdentity, type Platform } from './support/platform.ts';

const { AVAILABLE, BUSY, INVISIBLE, OFFLINE } = PresenceStatus;

let platform: Platform;
let presence: Client<typeof PresenceService>;
let channel: { close(): void };
let appId: string;
let published: [string, PresenceStatus, boolean][];
let subscription: { close(): void };

beforeAll(async () => {
  platform = await startIdentity();
  const { rpc_port } = platform.service.address;
  const log = createLogger({ service: 'test', level: 'silent' });
  const secret = platform.service.context.config.rpcSecret;
  const opened = createRpcChannel({
    address: `127.0.0.1:${rpc_port}`,
    secret,
    log,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  presence = createClient(PresenceService, opened.transport);
  channel = opened;
});
afterAll(async () => {
  channel?.close();
  await platform?.stop();
});

beforeEach(async () => {
  appId = randomUUID();
  published = [];
  subscription = platform.bus.subscribeLive(`live.${appId}.>`, (payload) => {
    for (const { userId, status, hidden } of fromBinary(PresenceBatchSchema, payload).presences) {
      published.push([userId, status, hidden]);
    }
  });
  await platform.bus.flush();
});
afterEach(() => subscription.close());

type Fields = { connected?: boolean; status?: PresenceStatus; incarnation?: number };

function report(gatewayId: string, userId: string, fields: Fields) {
  return presence.reportPresences({ gatewayId, reports: [{ appId, userId, ...fields }] });
}

async function seen(userId: string) {
  const { presences } = await presence.getPresences({ appId, userIds: [userId] });
  return presences.map(({ status, lastSeenAt }) => [status, lastSeenAt])[0];
}

async function untilPublished(expected: typeof published) {
  await until(() => published.length >= expected.length || undefined, {
    withinMs: 10_000,
    what: 'the presences are published',
  });
  expect(published).toEqual(expected);
}

test('a user is available while connected to any gateway, and offline since the last disconnected', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  expect(await seen('ann')).toBeUndefined();
  const came = platform.clock.now();
  await report(one, 'ann', { connected: true });
  expect(await seen('ann')).toEqual([AVAILABLE, came]);
  await report(other, 'ann', { connected: true });
  await report(one, 'ann', { connected: false });
  // Less than the silence after which a timer releases a gateway's users.
  platform.clock.advance(6_000);
  await report(other, 'ann', { connected: false });
  expect(await seen('ann')).toEqual([OFFLINE, came + 6_000]);
  await untilPublished([
    ['ann', AVAILABLE, false],
    ['ann', OFFLINE, false],
  ]);
});

test('a chosen status counts while the user is connected, and is kept until they are back', async () => {
  const gateway = randomUUID();
  await report(gateway, 'ann', { status: BUSY });
  expect(await seen('ann')).toEqual([OFFLINE, undefined]);
  await report(gateway, 'ann', { connected: true });
  await report(gateway, 'ann', { connected: false });
  await report(gateway, 'ann', { connected: true, status: AVAILABLE });
  await untilPublished([
    ['ann', OFFLINE, true],
    ['ann', BUSY, false],
    ['ann', OFFLINE, false],
    ['ann', AVAILABLE, false],
  ]);
});

test('other users see of an invisible user only when they became invisible', async () => {
  const gateway = randomUUID();
  await report(gateway, 'ann', { connected: true });
  const went = platform.clock.now();
  await report(gateway, 'ann', { status: INVISIBLE });
  platform.clock.advance(1000);
  await report(gateway, 'ann', { connected: false });
  await report(gateway, 'ann', { connected: true });
  expect(await seen('ann')).toEqual([INVISIBLE, went]);
  await untilPublished([
    ['ann', AVAILABLE, false],
    ['ann', INVISIBLE, false],
    ['ann', OFFLINE, true],
    ['ann', INVISIBLE, true],
  ]);
});

test('a repeated report changes nothing and is not published', async () => {
  const gateway = randomUUID();
  expect(await report(gateway, 'ann', { connected: true })).toMatchObject({ forgotten: true });
  expect(await report(gateway, 'ann', { connected: true, status: AVAILABLE })).toMatchObject({
    forgotten: false,
  });
  await report(gateway, 'bob', { connected: true });
  await untilPublished([
    ['ann', AVAILABLE, false],
    ['bob', AVAILABLE, false],
  ]);
});

test('the users of a gateway that is silent for 10 s are offline', async () => {
  const [dead, alive] = [randomUUID(), randomUUID()];
  for (const userId of ['ann', 'bob']) await report(dead, userId, { connected: true });
  await report(alive, 'bob', { connected: true });
  const died = platform.clock.now();
  platform.clock.advance(9_000);
  await presence.reportPresences({ gatewayId: alive });
  await releaseSilentGateways(platform.service.context);
  expect(await seen('ann')).toEqual([AVAILABLE, died]);
  platform.clock.advance(1_001);
  await releaseSilentGateways(platform.service.context);
  expect(await seen('ann')).toEqual([OFFLINE, died]);
  expect((await seen('bob'))?.[0]).toBe(AVAILABLE);
  expect(await presence.reportPresences({ gatewayId: dead })).toMatchObject({ forgotten: true });
});

test('an erasure ends the presence, and what gateways report late of the erased person is not recorded', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const app = await createTestApp(platform);
  appId = app.uuid;
  await logIn(platform, app, 'ann');
  await report(one, 'ann', { connected: true, status: BUSY, incarnation: 0 });
  const { identity } = await platform.identity.eraseUser({ appId, userId: 'ann' });
  const { incarnation } = identity ?? { incarnation: 0 };
  await report(one, 'ann', { connected: true, status: BUSY, incarnation: 0 });
  expect(await seen('ann')).toBeUndefined();
  const came = platform.clock.now();
  await report(other, 'ann', { connected: true, incarnation });
  expect(await seen('ann')).toEqual([AVAILABLE, came]);
  await report(one, 'ann', { connected: false, incarnation: 0 });
  expect(await seen('ann')).toEqual([AVAILABLE, came]);
  await report(other, 'ann', { connected: false, incarnation });
  expect((await seen('ann'))?.[0]).toBe(OFFLINE);
});

test('thousands of users cost a few statements, and two messages of the broker a shard', async () => {
  const measured = await startMeasured(platform);
  const gatewayId = randomUUID();
  const reports = Array.from({ length: 4000 }, (_, n) => ({ appId, userId: `user ${n}`, connected: true }));
  await measured.presence.reportPresences({ gatewayId, reports });
  expect(measured.statements).toBeLessThan(20);
  await measured.stop();
  await until(() => published.length === 4000 || undefined, { withinMs: 10_000, what: 'all are published' });
});

test('an answer for no viewer names who does not see a user, with one statement more however many users it has', async () => {
  const gatewayId = randomUUID();
  const reports = Array.from({ length: 1000 }, (_, n) => ({ appId, userId: `user ${n}`, connected: true }));
  await presence.reportPresences({ gatewayId, reports });
  const userIds = reports.map(({ userId }) => userId);
  for (const userId of userIds.slice(0, 30))
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
  await block('user 0', userIds.slice(1, 30));
  const measured = await startMeasured(platform);
  const { presences } = await measured.presence.getPresences({ appId, userIds });
  expect(measured.statements).toBe(2);
  await measured.stop();
  const unseeing = new Map(
    presences.map(({ userId, hiddenFrom, hiddenFromMore }) => [userId, { hiddenFrom, hiddenFromMore }]),
  );
  expect(unseeing.size).toBe(1000);
  expect(unseeing.get('user 0')).toEqual({ hiddenFrom: [], hiddenFromMore: true });
  expect(unseeing.get('user 1')).toEqual({ hiddenFrom: ['user 0'], hiddenFromMore: false });
  expect(unseeing.get('user 30')).toEqual({ hiddenFrom: [], hiddenFromMore: false });
});

function block(ownerUserId: string, userIds: string[]) {
  const steps = [{ operation: BlockStep_Operation.ADD, userIds }];
  return platform.relations.updateBlocks({ appId, ownerUserId, steps });
}
