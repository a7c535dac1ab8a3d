import { isUserId, parsePartRef, parseUri } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { GatewayContext } from '../../context.ts';
import type { ApiRequest } from './route.ts';

/** The bare uuid of the conversation in the path. Problems: not_found. */
export function conversationIdOf({ wire }: GatewayContext, { params }: ApiRequest): string {
  return parseUri(wire, 'conversations', params['conversation_id'] ?? '') ?? fail('not_found');
}

/** The bare uuid of the message in the path. Problems: not_found. */
export function messageIdOf({ wire }: GatewayContext, { params }: ApiRequest): string {
  return parseUri(wire, 'messages', params['message_id'] ?? '') ?? fail('not_found');
}

/** The bare uuid of the content in the path. Problems: not_found. */
export function contentIdOf({ wire }: GatewayContext, { params }: ApiRequest): string {
  return parseUri(wire, 'content', params['content_id'] ?? '') ?? fail('not_found');
}

/** The message in the path, and the conversation if the path names it too, otherwise empty. Problems: not_found. */
export function messageRefOf(ctx: GatewayContext, request: ApiRequest) {
  const named = request.params['conversation_id'] !== undefined;
  return {
    messageId: messageIdOf(ctx, request),
    conversationId: named ? conversationIdOf(ctx, request) : '',
  };
}

/** The bare uuid of the part in the path, which may be its URI. Problems: not_found. */
export function partIdOf({ wire }: GatewayContext, { params }: ApiRequest): string {
  return parsePartRef(wire, params['part_id'] ?? '')?.partId ?? fail('not_found');
}

/** The user that the path is about. Problems: not_found. */
export function pathUserIdOf({ params }: ApiRequest): string {
  const userId = params['user_id'] ?? '';
  return isUserId(userId) ? userId : fail('not_found');
}

/** The user who follows: that of the session, or the one whom a server names in the path. Problems: not_found. */
export function followerIdOf(request: ApiRequest): string {
  return (
    request.userId || pathUserIdOf({ ...request, params: { user_id: request.params['owner_user_id'] ?? '' } })
  );
}
