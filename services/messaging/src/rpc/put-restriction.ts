import type { PutRestrictionRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { changeRestriction, kindOf } from '../policy/change-restriction.ts';
import { restrict } from '../policy/restrict.ts';

export async function putRestriction(ctx: Context, request: PutRestrictionRequest) {
  const kind = kindOf(request.kind);
  const { until, reason, callerUserId } = request;
  await changeRestriction(ctx, request, (tx, restricting) =>
    restrict(ctx, tx, restricting, {
      app_id: request.appId,
      conversation_id: restricting.conversation.id,
      user_id: restricting.user.userId,
      kind,
      until: until ?? null,
      reason: reason ?? null,
      created_by: callerUserId || null,
      created_at: ctx.clock.now(),
      incarnation: restricting.user.incarnation,
    }),
  );
  return {};
}
