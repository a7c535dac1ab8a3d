import type { Client } from '@connectrpc/connect';
import { createBatcher } from '@parley/kit/flow/batch';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Database } from '@parley/kit/postgres';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import {
  listIdentities,
  upsertIdentities,
  type IdentityRef,
  type IdentityRow,
} from '../sql/identity/identity-copy.ts';

export type IdentityCopies = {
  /**
   * Existing identities by user id. Fetches missing copies, and copies of deleted identities, since the user may have
   * been created again a moment ago. Must not be called within a transaction, since it calls the identity service.
   */
  find(appId: string, userIds: readonly string[]): Promise<Map<string, IdentityRow>>;
  /** Fetches missing copies from the identity service. */
  fetch(refs: readonly IdentityRef[]): Promise<void>;
  stop(): Promise<void>;
};

/** Copies of identities. Events and RPCs keep them up to date; a copy that is missing is fetched. */
export function createIdentityCopies({
  db,
  client,
}: {
  db: Database;
  client: Client<typeof IdentityService>;
}): IdentityCopies {
  const fetches = createBatcher<IdentityRef, undefined>({ run, maxItems: 500, maxQueued: 20_000 });

  async function run(refs: IdentityRef[]): Promise<undefined[]> {
    const byApp = Map.groupBy(refs, (ref) => ref.appId);
    const found = await Promise.all([...byApp].map(([appId, wanted]) => askIdentity(appId, wanted)));
    await upsertIdentities(db, found.flat());
    return refs.map(() => undefined);
  }

  async function askIdentity(appId: string, refs: IdentityRef[]): Promise<Identity[]> {
    const userIds = [...new Set(refs.map((ref) => ref.userId))];
    return callInHalves(userIds, async (some) => {
      return (await client.findIdentities({ appId, userIds: some, batched: true })).identities;
    });
  }

  async function fetch(refs: readonly IdentityRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => fetches.add(ref)));
  }

  async function find(appId: string, userIds: readonly string[]): Promise<Map<string, IdentityRow>> {
    const refs = userIds.map((userId) => ({ appId, userId }));
    let rows = await listIdentities(db, refs);
    const known = new Set(rows.flatMap((row) => (row.deleted ? [] : [row.user_id])));
    const missing = refs.filter((ref) => !known.has(ref.userId));
    if (missing.length > 0) {
      await fetch(missing);
      rows = [...rows, ...(await listIdentities(db, missing))];
    }
    return new Map(rows.filter((row) => !row.deleted).map((row) => [row.user_id, row]));
  }

  return { find, fetch, stop: () => fetches.stop() };
}
