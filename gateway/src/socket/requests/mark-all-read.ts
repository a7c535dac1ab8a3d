import { newId } from '@parley/domain/ids';
import { markAllReadBy } from '../../routes/conversations/update.ts';
import type { RequestHandler } from './index.ts';
import { asRest } from './rest.ts';

/** `Conversation.mark_all_read`: as by REST, but the socket that asks gets its response alone. SPEC completions 6 */
export const markAllRead: RequestHandler = (request) => {
  const requestId = newId();
  request.connection.ownRequests.addRequest(requestId);
  return asRest(markAllReadBy(requestId), { object: 'conversation_id' })(request);
};
