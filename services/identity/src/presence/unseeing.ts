import type { Sql } from '@parley/kit/postgres';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { listBlockedOfEach } from '../sql/block.ts';

export type AppPresence = { appId: string; presence: Presence };

/** Users that a presence names as those who do not see it. */
const MAX_NAMED = 20;

/** Notes in presences who does not see them, with one statement for all; none for those that only the user sees. */
export async function nameUnseeing(sql: Sql, presences: readonly AppPresence[]): Promise<void> {
  const users = presences.flatMap(({ appId, presence: { userId, hidden } }) =>
    hidden ? [] : [{ appId, userId }],
  );
  if (users.length === 0) return;
  const rows = await listBlockedOfEach(sql, users, MAX_NAMED + 1);
  const othersOf = new Map(rows.map((row) => [`${row.app_id}/${row.user_id}`, row.other_ids]));
  for (const { appId, presence } of presences) {
    if (presence.hidden) continue;
    const others = othersOf.get(`${appId}/${presence.userId}`);
    if (others && others.length <= MAX_NAMED) presence.hiddenFrom = others;
    else presence.hiddenFromMore = true;
  }
}
