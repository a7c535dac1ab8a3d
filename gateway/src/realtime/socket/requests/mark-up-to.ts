import { newId } from '@parley/domain/ids';
import { markUpToBy, type Mark } from '../../../api/operations.ts';
import { asRest } from './rest.ts';
import type { SocketRequest } from './request.ts';

/** `Conversation.mark_all_read`. docs/protocol/websocket.md#requests */
export function markAllRead(request: SocketRequest): Promise<object> {
  return markUpTo('markAllRead', request);
}

/** `Conversation.mark_all_delivered`. docs/protocol/websocket.md#requests */
export function markAllDelivered(request: SocketRequest): Promise<object> {
  return markUpTo('markAllDelivered', request);
}

/** Like REST, but the requesting socket gets only the response. */
function markUpTo(mark: Mark, request: SocketRequest): Promise<object> {
  const requestId = newId();
  request.connection.ownRequests.addRequest(requestId);
  return asRest(markUpToBy(mark, requestId), { object: 'conversation_id' })(request);
}
