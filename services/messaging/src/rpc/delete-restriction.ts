import type { DeleteRestrictionRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { changeRestriction } from '../policy/change-restriction.ts';
import { endRestriction } from '../policy/restrict.ts';

export async function deleteRestriction(ctx: Context, request: DeleteRestrictionRequest) {
  await changeRestriction(ctx, request, (tx, restricting) => endRestriction(ctx, tx, restricting));
  return {};
}
