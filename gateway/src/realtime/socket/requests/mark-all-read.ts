import { newId } from '@parley/domain/ids';
import { markAllReadBy } from '../../../api/operations.ts';
import { asRest } from './rest.ts';
import type { SocketRequest } from './request.ts';

/**
 * `Conversation.mark_all_read`: as by REST, but the requesting socket gets the response alone.
 * docs/protocol/websocket.md#requests
 */
export function markAllRead(request: SocketRequest): Promise<object> {
  const requestId = newId();
  request.connection.ownRequests.addRequest(requestId);
  return asRest(markAllReadBy(requestId), { object: 'conversation_id' })(request);
}
