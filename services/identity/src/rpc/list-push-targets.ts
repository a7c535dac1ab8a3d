import { MAX_MESSAGE_BYTES, tooLarge } from '@parley/kit/rpc/byte-budget';
import type {
  ListPushTargetsRequest,
  ListPushTargetsResponseSchema,
} from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { listPushTokens, type PushTargetRow } from '../sql/push-token.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Users whose devices one statement reads: few, in case they have as many as users may have, until it is known how large they are. */
const READ_SIZE = 16;
const LARGE_READ_SIZE = 64;
/** Bytes of the answer for a user with a few devices. */
const USUAL_BYTES = 4096;
const ANSWER_BUDGET_BYTES = MAX_MESSAGE_BYTES / 2;

/** Fails if the answer is too large: the caller then asks for one half after the other. */
export async function listPushTargets(
  ctx: Context,
  { appId, userIds }: ListPushTargetsRequest,
): RpcResponse<typeof ListPushTargetsResponseSchema> {
  const rows: PushTargetRow[] = [];
  for (let from = 0, size = READ_SIZE, bytes = 0; from < userIds.length;) {
    const found = await listPushTokens(ctx.db, appId, userIds.slice(from, from + size));
    from += size;
    bytes += found.reduce((sum, row) => sum + bytesOf(row), 0);
    size = bytes <= from * USUAL_BYTES ? LARGE_READ_SIZE : READ_SIZE;
    if (bytes > ANSWER_BUDGET_BYTES && userIds.length > 1) throw tooLarge();
    rows.push(...found);
  }
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return {
    targets: [...byUser].map(([userId, own]) => ({
      userId,
      tokens: own.map(toToken),
      externalUnreadCount: own[0]?.external_unread_count ?? 0,
      incarnation: own[0]?.incarnation ?? 0,
      connected: own[0]?.is_connected ?? false,
    })),
  };
}

function bytesOf({ device_id, token, details }: PushTargetRow): number {
  return (
    64 +
    Buffer.byteLength(device_id) +
    Buffer.byteLength(token) +
    Buffer.byteLength(JSON.stringify(details ?? {}))
  );
}

function toToken({ device_id, type, token, details, updated_at }: PushTargetRow) {
  return { deviceId: device_id, type, token, details, updatedAt: updated_at };
}
