import type {
  FindUnknownUsersRequest,
  FindUnknownUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findUnknownUserIds } from '../sql/identity.ts';
import type { Answer } from './answer.ts';

export async function findUnknownUsers(
  ctx: Context,
  { appId, userIds }: FindUnknownUsersRequest,
): Answer<typeof FindUnknownUsersResponseSchema> {
  return { userIds: userIds.length === 0 ? [] : await findUnknownUserIds(ctx.db, appId, userIds) };
}
