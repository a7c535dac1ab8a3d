import type {
  SearchUsersRequest,
  SearchUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { Answer } from '../answer.ts';
import type { Context } from '../../context.ts';
import { searchIdentities } from '../../sql/identity.ts';
import { parsePageSize } from './input.ts';
import { getApp } from './subjects.ts';

/** By user id. */
export async function searchUsers(
  ctx: Context,
  req: SearchUsersRequest,
): Answer<typeof SearchUsersResponseSchema> {
  const { app_uuid: appId } = await getApp(ctx, req.appUuid);
  const pageSize = parsePageSize(req.pageSize);
  const users = await searchIdentities(ctx.db, {
    appId,
    prefix: req.query,
    afterUserId: req.fromId,
    pageSize,
  });
  return { users };
}
