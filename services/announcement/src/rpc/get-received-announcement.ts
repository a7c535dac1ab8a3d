import { failNotFound } from '@parley/domain/problems';
import type {
  GetReceivedAnnouncementRequest,
  GetReceivedAnnouncementResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import { viewReceived } from '../announcement/view.ts';
import { findReceived } from '../sql/received.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function getReceivedAnnouncement(
  ctx: Context,
  { appId, userId, id }: GetReceivedAnnouncementRequest,
): RpcResponse<typeof GetReceivedAnnouncementResponseSchema> {
  const row = (await findReceived(ctx.db, { appId, userId }, id)) ?? failNotFound('announcement', id);
  const [received] = await viewReceived(ctx, appId, [row]);
  return received ? { received } : failNotFound('announcement', id);
}
