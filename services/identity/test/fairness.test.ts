import { randomUUID } from 'node:crypto';
import { Caller_Kind } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { startIdentity, type Platform } from './platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity({ poolSize: 8 });
});
afterAll(() => platform?.stop());

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
      await tx.execute({ text: `lock table ${table} in access exclusive mode` });
      lists = Array.from({ length: 100 }, () => read(noisy).finally(() => (settled += 1)));
      for (const list of lists) list.catch(() => undefined);
      const item = { kind: Caller_Kind.SESSION, tokenHash: new Uint8Array(32) };
      const { results } = await identity.resolveTokens({ items: [item] });
      expect(results[0]?.outcome.case).toBe('problem');
      expect((await identity.findIdentities({ appId: quiet, userIds: ['ada'] })).identities).toHaveLength(1);
      expect((await relations.listBlocks({ appId: quiet, ownerUserId: 'ada' })).identities).toEqual([]);
      expect(settled).toBe(0);
    });
    await Promise.allSettled(lists);
  },
);
