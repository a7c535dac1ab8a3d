import type {
  ListPushTargetsRequest,
  ListPushTargetsResponseSchema,
} from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { listPushTokens, type PushTargetRow } from '../sql/push-token.ts';
import type { Answer } from './answer.ts';

export async function listPushTargets(
  ctx: Context,
  { appId, userIds }: ListPushTargetsRequest,
): Answer<typeof ListPushTargetsResponseSchema> {
  const rows = userIds.length > 0 ? await listPushTokens(ctx.db, appId, userIds) : [];
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return {
    targets: [...byUser].map(([userId, own]) => ({
      userId,
      tokens: own.map(toToken),
      externalUnreadCount: own[0]?.external_unread_count ?? 0,
    })),
  };
}

function toToken({ device_id, type, token, details, updated_at }: PushTargetRow) {
  return { deviceId: device_id, type, token, details, updatedAt: updated_at };
}
