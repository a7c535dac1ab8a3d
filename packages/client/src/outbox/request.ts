import { pathOf } from '../path.ts';
import type { HttpRequest } from '../connection/http.ts';
import type { Action, PartsEdit } from './operation.ts';

type Request = Omit<HttpRequest, 'token' | 'signal'>;

/** The request that performs an action. A repeat of it does no harm. */
export function requestOf(action: Action, wire: string): Request {
  switch (action.kind) {
    case 'createConversation': {
      const { conversation: id, participants, distinct, metadata } = action;
      return { method: 'POST', path: '/conversations', body: { id, participants, distinct, metadata } };
    }
    case 'send': {
      const { message: id, parts, notification } = action;
      const body = { id, parts, ...(notification && { notification }) };
      return {
        method: 'POST',
        path: pathOf('/conversations/:conversations/messages', wire, action.conversation),
        body,
      };
    }
    case 'patch':
      return {
        method: 'PATCH',
        path: pathOf('/conversations/:conversations', wire, action.conversation),
        body: action.steps,
        headers: { 'content-type': `application/vnd.${wire}-patch+json` },
      };
    case 'deleteConversation': {
      const leave = action.leave ? '&leave=true' : '';
      return {
        method: 'DELETE',
        path: `${pathOf('/conversations/:conversations', wire, action.conversation)}?mode=${action.mode}${leave}`,
      };
    }
    case 'deleteMessage':
      return {
        method: 'DELETE',
        path: `${pathOf('/messages/:messages', wire, action.message)}?mode=${action.mode}`,
      };
    case 'editParts':
      return editRequest(action.message, action.edit, wire);
    case 'receipt':
      return {
        method: 'POST',
        path: pathOf('/messages/:messages/receipts', wire, action.message),
        body: { type: action.type },
      };
    case 'markAllRead': {
      const path = pathOf('/conversations/:conversations/mark_all_read', wire, action.conversation);
      return { method: 'POST', path, body: { position: action.position } };
    }
    case 'announcementReceipt': {
      const path = pathOf('/announcements/:announcements/receipts', wire, action.announcement);
      return { method: 'POST', path, body: { type: action.type } };
    }
    case 'deleteAnnouncement':
      return { method: 'DELETE', path: pathOf('/announcements/:announcements', wire, action.announcement) };
  }
}

function editRequest(message: string, edit: PartsEdit, wire: string): Request {
  const path = pathOf('/messages/:messages/parts', wire, message);
  if (edit.kind === 'add') return { method: 'POST', path, body: edit.part };
  if (edit.kind === 'replaceAll') return { method: 'PUT', path, body: edit.parts };
  const one = path + pathOf('/:parts', wire, edit.part);
  return edit.kind === 'replace'
    ? { method: 'PUT', path: one, body: edit.by }
    : { method: 'DELETE', path: one };
}
