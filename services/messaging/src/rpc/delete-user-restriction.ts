import type { DeleteUserRestrictionRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { changeAppRestriction } from '../policy/app-restriction.ts';

export async function deleteUserRestriction(ctx: Context, request: DeleteUserRestrictionRequest) {
  await changeAppRestriction(ctx, request, null);
  return {};
}
