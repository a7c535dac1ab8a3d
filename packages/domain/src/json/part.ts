import type { Content as ContentJson, MessagePart } from '@parley/contract/records/part';
import type { Content, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { partUri } from '../ids.ts';
import { isoTimeOrNull } from './time.ts';
import { contentUrl, messageUrl, partUrl, type View } from './view.ts';

/** Fields of the parent message needed to render a part. */
export type PartParent = { id: string; conversationId: string };

/** docs/protocol/records.md#messagepart */
export function partJson(view: View, message: PartParent, part: Part): MessagePart {
  return {
    id: partUri(view.wire, message.id, part.id),
    url: partUrl(view, message, part.id),
    message_url: messageUrl(view, message.conversationId, message.id),
    mime_type: part.mimeType,
    body: part.body ?? null,
    encoding: part.encoding ?? null,
    content: part.content ? contentJson(view, message.conversationId, part.content) : null,
    updated_at: isoTimeOrNull(part.updatedAt),
  };
}

/** `uploadUrl` is given only before the upload. docs/protocol/records.md#content */
export function contentJson(
  view: View,
  conversationId: string,
  content: Content,
  uploadUrl: string | null = null,
): ContentJson {
  const signed =
    uploadUrl === null ? view.downloads?.({ appId: view.appId, contentId: content.id }) : undefined;
  return {
    id: view.wire.uri('content', content.id),
    size: content.size,
    download_url: content.downloadUrl ?? signed?.url ?? null,
    expiration: isoTimeOrNull(content.expiration ?? signed?.expiresAt),
    refresh_url: contentUrl(view, conversationId, content.id),
    upload_url: uploadUrl,
  };
}
