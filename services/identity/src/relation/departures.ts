import type { Sql } from '@parley/kit/postgres';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { insertDepartures } from '../sql/departure.ts';
import { listFollowers } from '../sql/following.ts';

/** Followers that one statement looks up and notes. */
const PAGE_SIZE = 1_000;

/**
 * Notes the followers of a deleted identity as those who must hear of it, before the relations that say so are removed. A repeated call
 * notes nothing twice.
 */
export async function noteFollowers(
  { clock }: Pick<Context, 'clock'>,
  sql: Sql,
  { appId, userId, version }: Pick<Identity, 'appId' | 'userId' | 'version'>,
): Promise<void> {
  const departure = { appId, goneUserId: userId, version, at: clock.now() };
  for (let afterUserId = ''; ;) {
    const userIds = await listFollowers(sql, { appId, userId, afterUserId, limit: PAGE_SIZE });
    await insertDepartures(sql, { ...departure, userIds });
    const last = userIds.at(-1);
    if (last === undefined || userIds.length < PAGE_SIZE) return;
    afterUserId = last;
  }
}
