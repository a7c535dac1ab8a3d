import { limits } from '@parley/contract/limits';
import { fail, failNotFound } from '@parley/domain/problems';
import { countCharacters } from '@parley/domain/user-id';
import { searchedBeginning } from '@parley/domain/user-search';
import type { Sql } from '@parley/kit/postgres';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  FindUsersRequest,
  FindUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findUserDirectory } from '../sql/app.ts';
import { findIdentities } from '../sql/identity.ts';
import {
  findNamedSharedUserIds,
  findSharedUserIds,
  findUserIds,
  type UserSearch,
} from '../sql/user-search.ts';

/** Memberships, and words, that are read before a search is known to be a long one. */
const MET = 1_000;
const NAMED = 200;

/** Finds users for a user. Problems: access_denied when the app's directory is closed, invalid_property (q). */
export async function findUsers(
  { db }: Context,
  { appId, userId: viewer, query, pageSize }: FindUsersRequest,
): RpcResponse<typeof FindUsersResponseSchema> {
  const directory = (await findUserDirectory(db, appId)) ?? failNotFound('app', appId);
  if (directory === 'nobody') fail('access_denied', { data: { reason: 'user_directory' } });
  if (query === '' || countCharacters(query) > limits.userSearch) fail('invalid_property', { property: 'q' });
  const beginning = searchedBeginning(query);
  if (beginning === '') return {};
  const limit = Math.min(Math.max(1, Math.trunc(pageSize) || limits.foundUsers), limits.foundUsers);
  const search = { appId, viewer, beginning, limit };
  const userIds = directory === 'everyone' ? await findUserIds(db, search) : await findShared(db, search);
  const found = new Map((await findIdentities(db, appId, userIds)).map((row) => [row.userId, row]));
  const identities = userIds.flatMap((userId) => {
    const identity = found.get(userId);
    if (!identity || identity.deleted || identity.suspended) return [];
    const { displayName, avatarUrl, incarnation } = identity;
    return [
      {
        userId,
        incarnation,
        ...(displayName !== undefined && { displayName }),
        ...(avatarUrl !== undefined && { avatarUrl }),
      },
    ];
  });
  return { identities };
}

/** Most users meet few others. For one who meets very many, a text that few have is looked up first. */
async function findShared(sql: Sql, search: UserSearch): Promise<string[]> {
  const met = await findSharedUserIds(sql, search, MET);
  if (met.isAll) return met.userIds;
  const named = await findNamedSharedUserIds(sql, search, NAMED);
  if (named.isAll) return named.userIds;
  return (await findSharedUserIds(sql, search, undefined)).userIds;
}
