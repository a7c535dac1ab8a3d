import { isUuid } from '@parley/domain/ids';
import type {
  GetPresencesRequest,
  GetPresencesResponseSchema,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { toPresence } from '../presence/shown.ts';
import { listPresences } from '../sql/presence.ts';
import type { Answer } from './answer.ts';

export async function getPresences(
  ctx: Context,
  { appId, userIds }: GetPresencesRequest,
): Answer<typeof GetPresencesResponseSchema> {
  if (!isUuid(appId) || userIds.length === 0) return { presences: [] };
  const refs = [...new Set(userIds)].map((user_id) => ({ app_id: appId, user_id }));
  return { presences: (await listPresences(ctx.db, refs)).map((row) => toPresence(row)) };
}
