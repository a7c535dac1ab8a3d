import { Code, ConnectError } from '@connectrpc/connect';
import { create } from '@parley/codec';
import { isFilename } from '@parley/domain/filename';
import { contentJson } from '@parley/domain/json/part';
import { invalid } from '@parley/domain/parse/fields';
import { failNotFound, problemOf } from '@parley/domain/problems';
import type { GetContentsResponse_Item } from '@parley/proto/parley/content/v1/content_service_pb';
import { ContentSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { referencesWeight } from '../../admission/limits/weights.ts';
import { findIncarnation } from '../../upstream/content/claim.ts';
import { contentIdOf, conversationIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';

/**
 * A new download address, for the uploader and for users who see a message with the content. Problems: not_found.
 * docs/protocol/uploads.md#refresh-a-download-address
 */
export async function refreshContent(
  ctx: Uses<'content' | 'identity' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const item = await getItem(ctx, request);
  if (!(await isUploader(ctx, request, item)) && !(await isShown(ctx, request, item)))
    failNotFound('content', contentIdOf(ctx, request));
  return present(request, item, '');
}

/** Like `refreshContent`, below the conversation for which the content was uploaded, or one with a message that has it. */
export async function refreshContentInConversation(
  ctx: Uses<'content' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const conversationId = conversationIdOf(ctx, request);
  const item = await getItem(ctx, request);
  const home = item.content?.conversationId ?? '';
  const isIn = item.references.some((reference) => reference.conversationId === conversationId);
  if (home !== '' && home !== conversationId && !isIn) failNotFound('content', contentIdOf(ctx, request));
  return present(request, item, conversationId);
}

async function getItem(
  ctx: Uses<'content' | 'wire'>,
  request: ApiRequest,
): Promise<GetContentsResponse_Item> {
  const id = contentIdOf(ctx, request);
  const { items } = await ctx.content.getContents({ appId: request.appId, ids: [id] });
  return items[0] ?? failNotFound('content', id);
}

/** A later user with an erased user's id is a different person. */
async function isUploader(
  ctx: Uses<'identity'>,
  { appId, userId, incarnation }: ApiRequest,
  { content }: GetContentsResponse_Item,
): Promise<boolean> {
  if (content?.userId !== userId) return false;
  if (content.userIncarnation === undefined) return true;
  return content.userIncarnation >= (incarnation ?? (await findIncarnation(ctx.identity, appId, userId)));
}

/** One call to messaging, however many messages refer to the content. */
async function isShown(
  ctx: Uses<'messaging'>,
  request: ApiRequest,
  item: GetContentsResponse_Item,
): Promise<boolean> {
  const { appId, userId } = request;
  const messageIds = item.references.map(({ messageId }) => messageId);
  if (messageIds.length === 0) return false;
  request.weigh(referencesWeight(messageIds.length));
  try {
    const contentId = item.content?.id ?? '';
    return (await ctx.messaging.isContentShown({ appId, userId, contentId, messageIds })).shown;
  } catch (error) {
    if (ConnectError.from(error).code !== Code.Unimplemented) throw error;
    return isShownByOlder(ctx, request, item);
  }
}

/** Asks a messaging service of the previous release about one message after the other. */
async function isShownByOlder(
  { messaging }: Uses<'messaging'>,
  { appId, userId }: ApiRequest,
  { references, content }: GetContentsResponse_Item,
): Promise<boolean> {
  for (const { messageId: id } of references) {
    try {
      const { message } = await messaging.getMessage({ appId, userId, id });
      // The user does not see a part that was added after they left.
      if (message?.parts.some((part) => part.content?.id === content?.id)) return true;
    } catch (error) {
      if (problemOf(error)?.id !== 'not_found') throw error;
    }
  }
  return false;
}

/** The part's name, which is in its `refresh_url`, is signed into the address here. */
function present(
  { view, query }: ApiRequest,
  { content, downloadUrl, expiresAt }: GetContentsResponse_Item,
  conversationId: string,
): HttpResponse {
  const { id = '', size = 0 } = content ?? {};
  const filename = query.get('filename') ?? undefined;
  if (filename !== undefined && !isFilename(filename)) invalid('filename', 'must be a name of a file.');
  const signed = filename === undefined ? { downloadUrl, expiration: expiresAt } : {};
  const shown = create(ContentSchema, { id, size, ...signed });
  return { status: 200, body: contentJson(view, { conversationId, filename }, shown) };
}
