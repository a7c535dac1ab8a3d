import { fail } from '@parley/domain/problems';
import type { PutUserRestrictionRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { changeAppRestriction } from '../policy/app-restriction.ts';

export async function putUserRestriction(ctx: Context, request: PutUserRestrictionRequest) {
  const { kind, until, reason } = request;
  if (kind !== 'mute' && kind !== 'shadow')
    return fail('invalid_property', { property: 'type', accepted: ['mute', 'shadow'] });
  await changeAppRestriction(ctx, request, {
    kind,
    until: until ?? null,
    reason: reason ?? null,
    created_at: ctx.clock.now(),
  });
  return {};
}
