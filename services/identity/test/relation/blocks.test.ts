import { Code, ConnectError } from '@connectrpc/connect';
import { randomUUID } from 'node:crypto';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { until } from '@parley/testing';
import { expectProblem } from '@parley/domain/testing/problems';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;
let appId: string;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform?.stop());

function create(userId: string) {
  return platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
}

/** Calls again, as clients do, when the call waited too long for a lock. */
async function unlessBusy<T>(call: () => Promise<T>): Promise<T> {
  return call().catch((error: unknown) => {
    if (ConnectError.from(error).code === Code.Unavailable) return call();
    throw error;
  });
}

beforeEach(async () => {
  appId = randomUUID();
  for (const userId of ['ada', 'bob', 'cid', 'dan']) await create(userId);
});

async function change(operation: Operation, userIds: string[], oneByPath = false) {
  const steps = [{ operation, userIds }];
  const { blocks } = await platform.relations.updateBlocks({ appId, ownerUserId: 'ada', steps, oneByPath });
  return blocks
    .map(({ blockedUserId, blocked, version }) => ({ userId: blockedUserId, blocked, version }))
    .toSorted((one, other) => one.userId.localeCompare(other.userId));
}

test('a change answers the state of the pairs that it names, and so does a repeated one', async () => {
  const added = await change(Operation.ADD, ['bob', 'cid']);
  expect(added).toMatchObject([
    { userId: 'bob', blocked: true },
    { userId: 'cid', blocked: true },
  ]);
  expect(await change(Operation.ADD, ['bob', 'cid'])).toEqual(added);
  const [removed, ...others] = await change(Operation.REMOVE, ['bob', 'dan']);
  expect(others).toEqual([]);
  expect(removed).toMatchObject({ userId: 'bob', blocked: false });
  expect(removed!.version).toBeGreaterThan(added[0]!.version);
  expect(await change(Operation.REMOVE, ['bob', 'dan'])).toEqual([removed]);
});

test('after a set all pairs are listed page by page, ended ones too', async () => {
  await change(Operation.ADD, ['bob', 'cid']);
  expect(await change(Operation.SET, ['dan'])).toEqual([]);
  const list = async (fromId: string) => {
    const request = { appId, ownerUserId: 'ada', fromId, pageSize: 2 };
    const { blocks } = await platform.relations.listBlockStates(request);
    return blocks.map(({ blockedUserId, blocked }) => `${blockedUserId} ${blocked}`);
  };
  expect(await list('')).toEqual(['bob false', 'cid false']);
  expect(await list('cid')).toEqual(['dan true']);
});

test('a deleted user may be unblocked, also repeatedly, as long as the pair is stored', async () => {
  await change(Operation.ADD, ['bob']);
  await platform.identity.deleteIdentity({ appId, userId: 'bob' });
  const removed = await change(Operation.REMOVE, ['bob'], true);
  expect(removed).toMatchObject([{ userId: 'bob', blocked: false }]);
  expect(await change(Operation.REMOVE, ['bob'], true)).toEqual(removed);
  await expectProblem(change(Operation.ADD, ['bob'], true), 'not_found');
});

test('versions never go back across an erasure, whose version is between those before and after it', async () => {
  const listener = await listenToEvents(platform.bus, appId);
  const [before] = await change(Operation.ADD, ['bob']);
  await platform.identity.eraseUser({ appId, userId: 'bob' });
  await create('bob');
  const [after] = await change(Operation.ADD, ['bob']);
  const erased = await until(
    () => listener.events.find(({ body }) => body.case === 'userErased' || undefined),
    { withinMs: 10_000, what: 'the erasure is published' },
  );
  listener.close();
  const blocksUntil = erased.body.case === 'userErased' ? erased.body.value.blocksUntil : 0;
  expect(blocksUntil).toBeGreaterThan(before!.version);
  expect(after!.version).toBeGreaterThan(blocksUntil);
});

test('a block and an erasure of the blocked user at the same time leave no block', async () => {
  for (let round = 0; round < 20; round++) {
    const userId = `user-${round}`;
    await create(userId);
    const [blocked] = await Promise.allSettled([
      unlessBusy(() => change(Operation.ADD, [userId])),
      platform.identity.eraseUser({ appId, userId }),
    ]);
    if (blocked.status === 'rejected')
      await expectProblem(Promise.reject(blocked.reason as Error), 'invalid_property');
    const { identities } = await platform.relations.listBlocks({ appId, ownerUserId: 'ada' });
    expect(identities).toEqual([]);
  }
});

test('a patch of many steps is stored and told as the change that it makes in all', async () => {
  const listener = await listenToEvents(platform.bus, appId);
  await change(Operation.ADD, ['dan']);
  const steps = [
    ...Array.from({ length: 500 }, (_, index) => ({
      operation: Operation.SET,
      userIds: index % 2 ? ['bob', 'cid'] : ['dan'],
    })),
    { operation: Operation.REMOVE, userIds: ['cid'] },
  ];
  await platform.relations.updateBlocks({ appId, ownerUserId: 'ada', steps });
  await change(Operation.ADD, ['cid']);
  const heard = () =>
    listener.events.flatMap(({ body }) =>
      body.case === 'blockChanged' ? [`${body.value.blockedUserId} ${body.value.blocked}`] : [],
    );
  await until(() => heard().includes('cid true') || undefined, {
    withinMs: 10_000,
    what: 'the last change is published',
  });
  listener.close();
  expect(heard()).toEqual(['dan true', 'dan false', 'bob true', 'cid true']);
});
