import { isUuid } from '@parley/domain/ids';
import type {
  GetPresencesRequest,
  GetPresencesResponseSchema,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { findPresences } from '../presence/find.ts';
import { nameUnseeing } from '../presence/unseeing.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function getPresences(
  ctx: Context,
  { appId, userIds, viewerUserId }: GetPresencesRequest,
): RpcResponse<typeof GetPresencesResponseSchema> {
  if (!isUuid(appId)) return { presences: [] };
  const found = await findPresences(ctx.db, appId, { userIds, viewer: viewerUserId });
  const presences = [...found.values()];
  if (viewerUserId === '')
    await nameUnseeing(
      ctx.db,
      presences.map((presence) => ({ appId, presence })),
    );
  return { presences };
}
