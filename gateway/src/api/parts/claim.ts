import { failNotFound, failWith, problemOf } from '@parley/domain/problems';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { claimContents } from '../../upstream/content/claim.ts';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { messageRefOf } from '../request/params.ts';

/**
 * Claims the content of parts that are about to be added to a message; makes no call without content. `place` is how error properties name
 * the first part: by its index in a list, or not at all for a single part. Problems: not_found, those of ClaimContents.
 */
export async function claimForParts(
  ctx: Uses<'content' | 'identity' | 'messaging' | 'wire'>,
  request: ApiRequest,
  { parts, place }: { parts: readonly Part[]; place: 'single' | 'list' },
): Promise<void> {
  if (!parts.some(({ content }) => content)) return;
  const { appId, userId } = request;
  const { messageId: id, conversationId } = messageRefOf(ctx, request);
  const { message = failNotFound('message', id) } = await ctx.messaging.getMessage({
    appId,
    userId,
    id,
    conversationId,
  });
  const { userId: senderId = '', incarnation: senderIncarnation = 0 } = message.sender ?? {};
  const sender = { senderId, senderIncarnation };
  try {
    await claimContents(ctx, { appId, id, conversationId: message.conversationId, ...sender, parts });
  } catch (error) {
    const failure = problemOf(error);
    const property = failure?.data?.['property'];
    if (!failure || typeof property !== 'string') throw error;
    const named = property.replace(place === 'single' ? /^parts\.0\./ : /^parts\./, '');
    const message = failure.message.replace(property, named);
    failWith({ ...failure, message, data: { ...failure.data, property: named } });
  }
}
