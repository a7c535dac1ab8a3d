import { randomUUID } from 'node:crypto';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { addBlocks, listBlockedUserIds } from '../src/sql/block.ts';
import { listPushTokens, upsertPushToken } from '../src/sql/push-token.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;
const appId = randomUUID();

beforeAll(async () => {
  platform = await startIdentity({ maxBlocksPerUser: 3, maxPushTokensPerUser: 2 });
  for (const userId of ['ada', 'b1', 'b2', 'b3', 'b4', 'b5'])
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
});
afterAll(() => platform.stop());

test('a change that exceeds the limit of blocked users is not made at all', async () => {
  const change = (operation: Operation, ...userIds: string[]) =>
    platform.relations.updateBlocks({ appId, ownerUserId: 'ada', steps: [{ operation, userIds }] });
  const refusal = { property: 'blocks', limit: 3 };
  const blocked = async () =>
    (await platform.relations.listBlocks({ appId, ownerUserId: 'ada' })).identities.map(
      ({ userId }) => userId,
    );
  await change(Operation.ADD, 'b1', 'b2');
  await expectProblem(change(Operation.ADD, 'b3', 'b4'), 'invalid_operation', refusal);
  await expectProblem(change(Operation.SET, 'b1', 'b2', 'b3', 'b4'), 'invalid_operation', refusal);
  expect(await blocked()).toEqual(['b1', 'b2']);
  await change(Operation.ADD, 'b3');
  await expectProblem(change(Operation.ADD, 'b5'), 'invalid_operation', refusal);
  await change(Operation.REMOVE, 'b1');
  await change(Operation.ADD, 'b5');
  expect(await blocked()).toEqual(['b2', 'b3', 'b5']);
});

test('a user whose blocks exceed a newer limit may name them again and block fewer, not more', async () => {
  const owner = { appId, ownerId: 'b5' };
  await addBlocks(platform.db, owner, ['b1', 'b2', 'b3', 'b4']);
  const change = (operation: Operation, ...userIds: string[]) =>
    platform.relations.updateBlocks({ appId, ownerUserId: 'b5', steps: [{ operation, userIds }] });
  const blocked = () => listBlockedUserIds(platform.db, owner);
  await change(Operation.ADD, 'b1', 'b4');
  await change(Operation.SET, 'b1', 'b2', 'b3', 'ada');
  expect(await blocked()).toEqual(['ada', 'b1', 'b2', 'b3']);
  const refusal = { property: 'blocks', limit: 3 };
  await expectProblem(change(Operation.ADD, 'b4'), 'invalid_operation', refusal);
  await change(Operation.REMOVE, 'b1');
  await expectProblem(change(Operation.ADD, 'b4'), 'invalid_operation', refusal);
});

function openPushTokens() {
  const channel = createRpcChannel({
    address: `127.0.0.1:${platform.service.address.rpc_port}`,
    secret: platform.service.context.config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  return { channel, pushTokens: channel.client(PushTokenService) };
}

test('a known device of a user whose devices exceed a newer limit may change its token', async () => {
  const { channel, pushTokens } = openPushTokens();
  const row = { type: 'fcm', details: {}, updatedAt: platform.clock.now() };
  for (const device of ['a', 'b', 'c', 'd'])
    await upsertPushToken(platform.db, { appId, userId: 'b1' }, { ...row, deviceId: device, token: device });
  const register = (deviceId: string, token: string) =>
    pushTokens.registerPushToken({ appId, userId: 'b1', token: { deviceId, token, type: 'fcm' } });
  await register('a', 'new');
  await register('renamed', 'b');
  const found = await listPushTokens(platform.db, appId, ['b1']);
  expect(found.map(({ device_id, token }) => [device_id, token])).toEqual([
    ['a', 'new'],
    ['c', 'c'],
    ['d', 'd'],
    ['renamed', 'b'],
  ]);
  await expectProblem(register('e', 'e'), 'invalid_operation', { property: 'push_tokens', limit: 2 });
  channel.close();
});

test('devices beyond the limit are refused, and a known device may change its token', async () => {
  const { channel, pushTokens } = openPushTokens();
  const register = (deviceId: string, token: string) =>
    pushTokens.registerPushToken({ appId, userId: 'ada', token: { deviceId, token, type: 'fcm' } });
  await register('phone', 'one');
  await register('tablet', 'two');
  const refusal = { property: 'push_tokens', limit: 2 };
  await expectProblem(register('watch', 'three'), 'invalid_operation', refusal);
  await register('phone', 'four');
  await pushTokens.deletePushToken({ appId, userId: 'ada', deviceId: 'tablet' });
  await register('watch', 'three');
  channel.close();
});
