import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  GetContentsRequest,
  GetContentsResponseSchema,
} from '@parley/proto/parley/content/v1/content_service_pb';
import { toContent } from '../content/view.ts';
import type { Context } from '../context.ts';
import { listUploaded } from '../sql/content.ts';
import { listReferences } from '../sql/content-reference.ts';

const MAX_REFERENCES = 100;

/** Uploaded contents with a download address and the messages that refer to them. */
export async function getContents(
  ctx: Context,
  { appId, ids }: GetContentsRequest,
): RpcResponse<typeof GetContentsResponseSchema> {
  const rows = await listUploaded(ctx.db, appId, ids);
  const now = ctx.clock.now();
  const items = rows.map(async (row) => {
    const { url: downloadUrl, expiresAt } = ctx.downloads.sign({ appId, contentId: row.id }, now);
    const references = await listReferences(ctx.db, { appId, id: row.id, limit: MAX_REFERENCES });
    return {
      content: toContent(row),
      downloadUrl,
      expiresAt,
      references: references.map((reference) => ({
        conversationId: reference.conversation_id,
        messageId: reference.message_id,
      })),
    };
  });
  return { items: await Promise.all(items) };
}
