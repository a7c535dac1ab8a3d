import { randomUUID } from 'node:crypto';
import type { Client } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { until } from '@parley/testing';
import { startIdentity, type Platform } from './support/platform.ts';

const POOL_SIZE = 8;

let platform: Platform;
let operations: Client<typeof OperationService>;
let pushTokens: Client<typeof PushTokenService>;
let close: (() => void) | undefined;
beforeAll(async () => {
  platform = await startIdentity({ poolSize: POOL_SIZE });
  const { address, context } = platform.service;
  const channel = createRpcChannel({
    address: `127.0.0.1:${address.rpc_port}`,
    secret: context.config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  close = () => channel.close();
  operations = channel.client(OperationService);
  pushTokens = channel.client(PushTokenService);
});
afterAll(async () => {
  close?.();
  await platform?.stop();
});

test.each([
  [
    'lists',
    'follow',
    (appId: string) => platform.relations.listFollowing({ appId, ownerUserId: 'ada', pageSize: 100 }),
  ],
  ['presences', 'presence', (appId: string) => platform.presences.getPresences({ appId, userIds: ['ada'] })],
])(
  '%s of one application that do not end leave connections to tokens, logins and other applications',
  async (_which, table, read) => {
    const { identity, relations, db } = platform;
    const [noisy, quiet] = [randomUUID(), randomUUID()];
    for (const appId of [noisy, quiet]) {
      await identity.createIdentity({ identity: { appId, userId: 'ada', displayName: 'Ada' } });
    }
    let settled = 0;
    let lists: Promise<unknown>[] = [];
    await db.tx(async (tx) => {
      await tx.execute(STAYS_OPEN);
      await tx.execute({ text: `lock table ${table} in access exclusive mode` });
      lists = Array.from({ length: 100 }, () => read(noisy).finally(() => (settled += 1)));
      for (const list of lists) list.catch(() => undefined);
      const item = { kind: Caller_Kind.SESSION, tokenHash: new Uint8Array(32) };
      const { results } = await identity.resolveTokens({ items: [item] });
      expect(results[0]?.outcome.case).toBe('problem');
      expect((await identity.findIdentities({ appId: quiet, userIds: ['ada'] })).identities).toHaveLength(1);
      expect((await relations.listBlocks({ appId: quiet, ownerUserId: 'ada' })).identities).toEqual([]);
      expect(settled).toBe(0);
    }, HELD);
    await Promise.allSettled(lists);
  },
);

async function createTwo(): Promise<{ noisy: string; quiet: string }> {
  const apps = { noisy: randomUUID(), quiet: randomUUID() };
  for (const appId of Object.values(apps))
    await platform.identity.createIdentity({ identity: { appId, userId: 'ada', displayName: 'Ada' } });
  return apps;
}

type Call = (appId: string) => Promise<unknown>;
const HASH = new Uint8Array(32);
const begin: Call = (appId) => operations.beginOperation({ appId, keyHash: HASH, fingerprint: HASH });
const follows: Call = (appId) =>
  platform.relations.isFollowing({ appId, ownerUserId: 'ada', targetUserId: 'bob' });

/**
 * Runs `work` while a table is locked and a hundred calls of one application wait for the table or for a connection.
 */
async function besides(
  { table, call, connections }: { table: string; call: () => Promise<unknown>; connections: number },
  work: () => Promise<void>,
): Promise<void> {
  let settled = 0;
  let calls: Promise<unknown>[] = [];
  const text = `
    select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where datname = current_database() and not granted and relation = '${table}'::regclass`;
  await platform.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await tx.execute({ text: `lock table ${table} in access exclusive mode` });
    calls = Array.from({ length: 100 }, () => call().finally(() => (settled += 1)));
    for (const one of calls) one.catch(() => undefined);
    const hold = async () => (await platform.db.query({ text })).length >= connections || undefined;
    await until(hold, { withinMs: 3_000, what: 'the calls hold connections' });
    await work();
    expect(settled).toBe(0);
  }, HELD);
  await Promise.allSettled(calls);
}

const half = POOL_SIZE / 2;
const floods: [name: string, flood: { table: string; connections: number; call: Call; other: Call }][] = [
  ['beginOperation', { table: 'idempotency_key', connections: half, call: begin, other: follows }],
  [
    'finishOperation',
    {
      table: 'idempotency_key',
      connections: half,
      other: follows,
      call: (appId) => operations.finishOperation({ appId, keyHash: HASH, operationId: appId, answer: '{}' }),
    },
  ],
  [
    'findIdentities',
    {
      table: 'identity',
      connections: half,
      other: begin,
      call: (appId) => platform.identity.findIdentities({ appId, userIds: ['ada'] }),
    },
  ],
  [
    'findIdentities of batches',
    {
      table: 'identity',
      connections: 1,
      other: begin,
      call: (appId) => platform.identity.findIdentities({ appId, userIds: ['ada'], batched: true }),
    },
  ],
  [
    'listPushTargets',
    {
      table: 'push_token',
      connections: 1,
      other: follows,
      call: (appId) => pushTokens.listPushTargets({ appId, userIds: ['ada'] }),
    },
  ],
];

test.each(floods)(
  '%s of one application without end leaves connections to revocations and to another application',
  async (_, { call, other, ...flood }) => {
    const { noisy, quiet } = await createTwo();
    await besides({ ...flood, call: () => call(noisy) }, async () => {
      for (let round = 0; round < 5; round++) {
        await platform.identity.listRevocations({ cursor: 0 });
        await other(quiet);
      }
    });
  },
);

test('look-ups for batches of several applications do not wait behind other calls of an application', async () => {
  const { noisy: appId } = await createTwo();
  const flood = { table: 'idempotency_key', connections: half, call: () => begin(appId) };
  await besides(flood, async () => {
    const { identities } = await platform.identity.findIdentities({
      appId,
      userIds: ['ada'],
      batched: true,
    });
    expect(identities).toHaveLength(1);
    expect((await pushTokens.listPushTargets({ appId, userIds: ['ada'] })).targets).toEqual([]);
  });
});
