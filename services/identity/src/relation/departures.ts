import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { insertDepartures } from '../sql/departure.ts';
import {
  listDeclaredFollowers,
  listMet,
  listOwnConversations,
  type MemberCursor,
  type MetRow,
} from '../sql/following.ts';

/** Most followers that one statement looks up and records, conversations that it reads, and periods that it reads of each. */
const PAGE_SIZE = 1_000;
const CONVERSATIONS = 100;
const PERIODS = 2_000;

type Gone = Pick<Identity, 'appId' | 'userId' | 'version'>;

/**
 * Notes the followers of a deleted identity as those who must hear of it, before the relations that say so are removed. A repeated call
 * notes nothing twice. Each statement answers a bounded number of rows, however many conversations and followers there are.
 */
export async function noteFollowers(
  { clock }: Pick<Context, 'clock'>,
  sql: Sql,
  { appId, userId, version }: Gone,
): Promise<void> {
  const departure = { appId, goneUserId: userId, version, at: clock.now() };
  const note = (userIds: string[]) =>
    insertDepartures(sql, { ...departure, userIds: [...new Set(userIds)].sort() });
  for (let afterUserId = ''; ;) {
    const userIds = await listDeclaredFollowers(sql, { appId, userId, afterUserId, limit: PAGE_SIZE });
    await note(userIds);
    if (userIds.length < PAGE_SIZE) break;
    afterUserId = userIds.at(-1) ?? '';
  }
  for await (const met of eachMet(sql, { appId, userId })) {
    await note(met.filter(({ isFollower }) => isFollower).map((row) => row.userId));
  }
}

/** All periods in the conversations of a user, some conversations at a time, a page of each. */
async function* eachMet(sql: Sql, { appId, userId }: Omit<Gone, 'version'>): AsyncGenerator<MetRow[]> {
  for (let after: string | undefined = NIL_UUID; after !== undefined;) {
    const limit = CONVERSATIONS;
    const ids: string[] = await listOwnConversations(sql, { appId, userId, after, limit });
    let cursors: MemberCursor[] = ids.map((id) => ({ conversationId: id, userId: '', joinedSeq: 0 }));
    while (cursors.length > 0) {
      const rows = await listMet(sql, { appId, userId, cursors, limit: PERIODS });
      yield rows;
      const pages = [...Map.groupBy(rows, (row) => row.conversationId).values()];
      cursors = pages.filter((page) => page.length === PERIODS).flatMap((page) => page.at(-1) ?? []);
    }
    after = ids.length < limit ? undefined : ids.at(-1);
  }
}
