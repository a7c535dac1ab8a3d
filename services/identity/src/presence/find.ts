import type { Sql } from '@parley/kit/postgres';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { listPresences } from '../sql/presence.ts';
import { toPresence } from './view.ts';

/**
 * Presences by user id. Users who never connected and never chose a status have none. One statement; none without
 * users.
 */
export async function findPresences(
  sql: Sql,
  appId: string,
  userIds: readonly string[],
): Promise<Map<string, Presence>> {
  if (userIds.length === 0) return new Map();
  const users = [...new Set(userIds)].map((userId) => ({ appId, userId }));
  return new Map((await listPresences(sql, users)).map((row) => [row.user_id, toPresence(row)]));
}
