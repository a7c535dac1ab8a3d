import type { Sql } from '@parley/kit/postgres';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { listBlockedEitherWay } from '../sql/block.ts';
import { listPresences } from '../sql/presence.ts';
import { toPresence } from './view.ts';

/**
 * Presences by user id, as a viewer sees them. Users who never connected and never chose a status have none, nor has a user between whom and
 * the viewer there is a block, whoever set it. No statement without users.
 */
export async function findPresences(
  sql: Sql,
  appId: string,
  { userIds, viewer }: PresenceQuery,
): Promise<Map<string, Presence>> {
  if (userIds.length === 0) return new Map();
  const users = [...new Set(userIds)].map((userId) => ({ appId, userId }));
  const [rows, unseen] = await Promise.all([
    listPresences(sql, users),
    viewer ? listBlockedEitherWay(sql, { appId, userId: viewer }, userIds) : [],
  ]);
  const hidden = new Set(unseen);
  return new Map(
    rows.flatMap((row) => (hidden.has(row.user_id) ? [] : [[row.user_id, toPresence(row)] as const])),
  );
}

/** `viewer`: the user who looks; empty for a server. */
export type PresenceQuery = { userIds: readonly string[]; viewer: string };
