import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import {
  BlockStep_Operation as Operation,
  RelationService,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { updateBlocks } from './identity-copies.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const owner = { appId: 'app', ownerUserId: 'ada' };
const stateOf = (index: number) => ({
  blockedUserId: `user ${String(index).padStart(4, '0')}`,
  blocked: false,
  version: 1,
});

function start(answer?: Code) {
  const applied: string[][] = [];
  const all = Array.from({ length: 2500 }, (_, index) => stateOf(index));
  const identity = createRouterTransport(({ service }) => {
    service(RelationService, {
      updateBlocks: ({ steps }) => ({
        blocks: steps.flatMap(({ userIds }) =>
          userIds.map((blockedUserId) => ({ blockedUserId, version: 2 })),
        ),
      }),
      listBlockStates: ({ fromId, pageSize }) => ({
        blocks: all.filter(({ blockedUserId }) => blockedUserId > fromId).slice(0, pageSize),
      }),
    });
  });
  const messaging = createRouterTransport(({ service }) => {
    if (answer === Code.Unimplemented) return;
    service(CopyService, {
      applyBlocks: ({ blocks }) => {
        if (answer !== undefined) throw new ConnectError('no', answer);
        applied.push(blocks.map(({ blockedUserId }) => blockedUserId));
        return {};
      },
    });
  });
  const relations = createClient(RelationService, identity);
  const messagingCopies = createClient(CopyService, messaging);
  const update = (operation: Operation, userIds: string[]) =>
    updateBlocks({ relations, messagingCopies, log }, { ...owner, steps: [{ operation, userIds }] });
  return { applied, all, update };
}

test('a change is applied in the state that identity answered, in calls of a thousand', async () => {
  const { applied, update } = start();
  const userIds = Array.from({ length: 1500 }, (_, index) => `user ${index}`);
  await update(Operation.REMOVE, userIds);
  expect(applied.map((ids) => ids.length)).toEqual([1000, 500]);
  expect(applied.flat()).toEqual(userIds);
});

test('after a `set` every stored block is applied, page by page', async () => {
  const { applied, all, update } = start();
  await update(Operation.SET, []);
  expect(applied.map((ids) => ids.length)).toEqual([1000, 1000, 500]);
  expect(applied.flat()).toEqual(all.map(({ blockedUserId }) => blockedUserId));
});

test('a messaging service of an older release learns of changes by events; any other failure fails the call', async () => {
  await start(Code.Unimplemented).update(Operation.ADD, ['bob']);
  await expect(start(Code.Unavailable).update(Operation.ADD, ['bob'])).rejects.toMatchObject({
    code: Code.Unavailable,
  });
});
