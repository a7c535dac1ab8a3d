import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import { frameBody } from '../../socket/frame.ts';
import type { Renderer } from './index.ts';

/** Mark all read: an operation for the others, the new unread number for the reader. SPEC completions 6 */
export const renderAllRead: Renderer = ({ view, updates }, { event, recipients }) => {
  if (event.body.case !== 'allRead') return;
  const { userId, position, unreadMessageCount } = event.body.value;
  const appView = { ...view, appId: event.appId };
  const body = frameBody({
    method: 'Conversation.mark_all_read',
    object: { type: 'Conversation', ...conversationReference(appView, event.conversationId) },
    data: { position, identity: event.actor ? basicIdentityJson(appView, event.actor) : null },
  });
  for (const recipient of recipients) {
    if (recipient.userId === userId) updates.unreadIs(event, userId, unreadMessageCount);
    else for (const socket of recipient.sockets) socket.push('operation', body);
  }
};
