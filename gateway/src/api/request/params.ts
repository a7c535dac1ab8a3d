import { isNewUserId, isUserId, parsePartRef, parseUri, parseUserSegment } from '@parley/domain/ids';
import { failNewUserId, failNotFound } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import type { Uses } from '../context.ts';
import type { ApiRequest } from './route.ts';

const URI_KINDS = {
  announcement: 'announcements',
  content: 'content',
  conversation: 'conversations',
  export: 'exports',
  message: 'messages',
} as const;

/** The bare uuid of an object in the path, where it may also be a URI. Problems: not_found. */
export function pathIdOf(wire: Wire, params: ApiRequest['params'], kind: keyof typeof URI_KINDS): string {
  const given = params[`${kind}_id`] ?? '';
  return parseUri(wire, URI_KINDS[kind], given) ?? failNotFound(kind, given);
}

/** The bare uuid of the conversation in the path. Problems: not_found. */
export function conversationIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  return pathIdOf(wire, params, 'conversation');
}

/** The bare uuid of the message in the path. Problems: not_found. */
export function messageIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  return pathIdOf(wire, params, 'message');
}

/** The bare uuid of the content in the path. Problems: not_found. */
export function contentIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  return pathIdOf(wire, params, 'content');
}

/** The message in the path, and its conversation: empty if the path does not name it. Problems: not_found. */
export function messageRefOf(ctx: Uses<'wire'>, request: ApiRequest) {
  const named = request.params['conversation_id'] !== undefined;
  return {
    messageId: messageIdOf(ctx, request),
    conversationId: named ? conversationIdOf(ctx, request) : '',
  };
}

/** The bare uuid of the part in the path, which may be its URI. Problems: not_found. */
export function partIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  const given = params['part_id'] ?? '';
  return parsePartRef(wire, given)?.partId ?? failNotFound('part', given);
}

/** The user to whom the path refers. Problems: not_found. */
export function pathUserIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  return namedUser(wire, params['user_id']);
}

/** The following user: the session's user, or the one whom a server names in the path. Problems: not_found. */
export function followerIdOf({ wire }: Uses<'wire'>, { userId, params }: ApiRequest): string {
  return userId || namedUser(wire, params['owner_user_id']);
}

/** The user id in the path of a new identity, unchanged. Problems: not_found, invalid_property. */
export function newUserIdOf({ params }: ApiRequest): string {
  const userId = params['user_id'] ?? '';
  if (!isUserId(userId)) return failNotFound('identity', userId);
  return isNewUserId(userId) ? userId : failNewUserId();
}

function namedUser(wire: Wire, given = ''): string {
  return parseUserSegment(wire, given) ?? failNotFound('identity', given);
}
