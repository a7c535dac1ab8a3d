import type { Content as ContentJson, MessagePart } from '@parley/contract/records/part';
import type { Content, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { partUri } from '../ids.ts';
import { percentEncode } from '../percent.ts';
import { isoTimeOrNull } from './time.ts';
import { contentUrl, messageUrl, partUrl, type View } from './view.ts';

/** Fields of the parent message needed to render a part. */
export type PartParent = { id: string; conversationId: string };

/** docs/protocol/records.md#messagepart */
export function partJson(view: View, message: PartParent, part: Part): MessagePart {
  return partJsonAt(part, {
    id: partUri(view.wire, message.id, part.id),
    url: partUrl(view, message, part.id),
    parentUrl: messageUrl(view, message.conversationId, message.id),
    content: part.content ? contentJson(view, { ...message, filename: part.filename }, part.content) : null,
  });
}

type PartPlace = { id: string; url: string; parentUrl: string; content: ContentJson | null };

/** A part of a message or an announcement: all keys of parts get their values here. */
export function partJsonAt(part: Part, { id, url, parentUrl, content }: PartPlace): MessagePart {
  const json: MessagePart = {
    id,
    url,
    message_url: parentUrl,
    mime_type: part.mimeType,
    body: part.body ?? null,
    encoding: part.encoding ?? null,
    content,
    updated_at: isoTimeOrNull(part.updatedAt),
  };
  if (part.filename !== undefined) json.filename = part.filename;
  return json;
}

/** The conversation in which a content is shown, and the part's file name. */
type ContentPlace = { conversationId: string; filename?: string | undefined };

/** `uploadUrl` is given only before the upload. docs/protocol/records.md#content */
export function contentJson(
  view: View,
  { conversationId, filename }: ContentPlace,
  content: Content,
  uploadUrl: string | null = null,
): ContentJson {
  const signed =
    uploadUrl === null ? view.downloads?.({ appId: view.appId, contentId: content.id, filename }) : undefined;
  return {
    id: view.wire.uri('content', content.id),
    size: content.size,
    download_url: content.downloadUrl ?? signed?.url ?? null,
    expiration: isoTimeOrNull(content.expiration ?? signed?.expiresAt),
    refresh_url: contentUrl(view, conversationId, content.id) + nameQuery(filename),
    upload_url: uploadUrl,
  };
}

/** Query that gives a new download address the part's name, too. */
function nameQuery(filename: string | undefined): string {
  return filename === undefined ? '' : `?filename=${percentEncode(filename)}`;
}
