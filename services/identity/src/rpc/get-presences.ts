import { isUuid } from '@parley/domain/ids';
import type {
  GetPresencesRequest,
  GetPresencesResponseSchema,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { findPresences } from '../presence/find.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function getPresences(
  ctx: Context,
  { appId, userIds, viewerUserId }: GetPresencesRequest,
): RpcResponse<typeof GetPresencesResponseSchema> {
  if (!isUuid(appId)) return { presences: [] };
  const presences = await findPresences(ctx.db, appId, { userIds, viewer: viewerUserId });
  // Who pushes them to several viewers has to ask for each.
  return {
    presences: [...presences.values()].map((one) => ({ ...one, hiddenFromMore: viewerUserId === '' })),
  };
}
