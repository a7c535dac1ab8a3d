import { create } from '@parley/codec';
import type { Content as ContentJson } from '@parley/contract/records/part';
import { contentJson } from '@parley/domain/json/part';
import type { View } from '@parley/domain/json/view';
import { ContentSchema, type Content } from '@parley/proto/parley/content/v1/content_pb';
import { ContentSchema as ReferredContentSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import type { ContentRow } from '../sql/content.ts';

/** The protocol's message for a row. */
export function toContent(row: ContentRow): Content {
  return create(ContentSchema, {
    appId: row.app_id,
    id: row.id,
    size: row.size,
    contentType: row.content_type,
    createdAt: row.created_at,
    ...(row.uploaded_at !== null && { uploadedAt: row.uploaded_at }),
    userId: row.user_id ?? '',
    byServer: row.by_server,
    conversationId: row.conversation_id ?? '',
    userIncarnation: row.incarnation ?? 0,
    filename: row.filename ?? '',
  });
}

/** Uploaded content as the client or server that requested the upload sees it. docs/protocol/records.md#content */
export function uploadedJson(ctx: Context, row: ContentRow): ContentJson {
  const { url: downloadUrl, expiresAt: expiration } = ctx.downloads.sign(
    { appId: row.app_id, contentId: row.id },
    ctx.clock.now(),
  );
  const content = create(ReferredContentSchema, { id: row.id, size: row.size, downloadUrl, expiration });
  return contentJson(viewOf(ctx, row), { conversationId: row.conversation_id ?? '' }, content);
}

function viewOf({ wire, config }: Context, row: ContentRow): View {
  const base = { wire, baseUrl: config.publicUrl, appId: row.app_id };
  if (row.user_id === null) return { ...base, audience: 'server' };
  return { ...base, audience: row.by_server ? 'user' : 'client', userId: row.user_id };
}
