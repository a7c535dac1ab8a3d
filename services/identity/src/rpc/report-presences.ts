import { isUserId, isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type {
  ReportPresencesRequest,
  ReportPresencesResponseSchema,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { recordPresences } from '../presence/record.ts';
import { touchGateway } from '../sql/presence.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function reportPresences(
  ctx: Context,
  { gatewayId, reports }: ReportPresencesRequest,
): RpcResponse<typeof ReportPresencesResponseSchema> {
  if (!isUuid(gatewayId)) return fail('invalid_property', { property: 'gateway_id' });
  const valid = reports.filter(({ appId, userId }) => isUuid(appId) && isUserId(userId));
  const at = ctx.clock.now();
  const isKnown = await ctx.db.tx(async (tx) => {
    await recordPresences(ctx, tx, { gatewayId, reports: valid, at });
    return touchGateway(tx, gatewayId, at);
  });
  return { forgotten: !isKnown };
}
