import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  TakeBackMembershipsRequest,
  TakeBackMembershipsResponseSchema,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { markFollowingChanged } from '../../relation/following-changed.ts';
import { takeBack } from '../../sql/recovery.ts';

/** Forgets joins and leaves that messaging has lost. */
export async function takeBackMemberships(
  ctx: Context,
  { conversations }: TakeBackMembershipsRequest,
): RpcResponse<typeof TakeBackMembershipsResponseSchema> {
  const takenBackCount = await ctx.db.tx(async (tx) => {
    const { count, members } = await takeBack(tx, conversations);
    for (const [appId, rows] of Map.groupBy(members, (row) => row.app_id)) {
      const userIds = [...new Set(rows.map((row) => row.user_id))];
      await markFollowingChanged(ctx, tx, appId, userIds);
    }
    return count;
  });
  return { takenBackCount };
}
