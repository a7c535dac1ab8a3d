import { limits } from '@parley/contract/limits';
import { failUnknownFromId } from '@parley/domain/problems';
import { searchedBeginning } from '@parley/domain/user-search';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import type { Sql } from '@parley/kit/postgres';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ListUsersRequest,
  ListUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findPresences } from '../presence/find.ts';
import { findFittingIdentities, findIdentities } from '../sql/identity.ts';
import { listUserIds, type UserList } from '../sql/user-list.ts';
import { listNamedUserIds } from '../sql/user-search.ts';

/** A page may begin after a user who is erased by now. */
export async function listUsers(
  { db }: Context,
  request: ListUsersRequest,
): RpcResponse<typeof ListUsersResponseSchema> {
  const { appId, type, suspended, fromId, pageSize, query } = request;
  if (fromId !== '' && (await findIdentities(db, appId, [fromId])).length === 0) failUnknownFromId();
  const limit = Math.min(Math.max(1, Math.trunc(pageSize) || limits.userPage), limits.userPage);
  const list = { appId, type, suspended, afterUserId: fromId, limit };
  const userIds = await (query === '' ? listUserIds(db, list) : findNamed(db, list, query));
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  const { identities, count } = await findFittingIdentities(db, { appId, userIds, budget });
  const presences = await findPresences(db, appId, { userIds: userIds.slice(0, count), viewer: '' });
  return { identities, presences: [...presences.values()], hasMore: count < userIds.length };
}

async function findNamed(sql: Sql, list: UserList, query: string): Promise<string[]> {
  const beginning = searchedBeginning(query);
  return beginning === '' ? [] : listNamedUserIds(sql, { ...list, beginning });
}
