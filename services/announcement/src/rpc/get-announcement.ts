import { failNotFound } from '@parley/domain/problems';
import type {
  GetAnnouncementRequest,
  GetAnnouncementResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import { findAnnouncement, toAnnouncement } from '../sql/announcement.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function getAnnouncement(
  ctx: Context,
  { appId, id }: GetAnnouncementRequest,
): RpcResponse<typeof GetAnnouncementResponseSchema> {
  const row = (await findAnnouncement(ctx.db, { appId, id })) ?? failNotFound('announcement', id);
  const senders = await ctx.senders.find(appId, [row.sender_id]);
  return { announcement: toAnnouncement(row, senders.get(row.sender_id)) };
}
