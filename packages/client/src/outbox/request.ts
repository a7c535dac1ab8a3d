import { pathOf, pathTo, uuidOf } from '../path.ts';
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
        path: pathOf('conversations', action.conversation) + '/messages',
        body,
      };
    }
    case 'patch':
      return {
        method: 'PATCH',
        path: pathOf('conversations', action.conversation),
        body: action.steps,
        headers: { 'content-type': `application/vnd.${wire}-patch+json` },
      };
    case 'deleteConversation': {
      const leave = action.leave ? '&leave=true' : '';
      return {
        method: 'DELETE',
        path: pathOf('conversations', action.conversation) + '?mode=' + action.mode + leave,
      };
    }
    case 'deleteMessage':
      return {
        method: 'DELETE',
        path: pathOf('messages', action.message) + '?mode=' + action.mode,
      };
    case 'editParts':
      return editRequest(action.message, action.edit);
    case 'receipt':
      return {
        method: 'POST',
        path: pathOf('messages', action.message) + '/receipts',
        body: { type: action.type },
      };
    case 'markAllRead': {
      const path = pathOf('conversations', action.conversation) + '/mark_all_read';
      return { method: 'POST', path, body: { position: action.position } };
    }
    case 'announcementReceipt': {
      const path = pathOf('announcements', action.announcement) + '/receipts';
      return { method: 'POST', path, body: { type: action.type } };
    }
    case 'deleteAnnouncement':
      return { method: 'DELETE', path: pathOf('announcements', action.announcement) };
  }
}

function editRequest(message: string, edit: PartsEdit): Request {
  const path = pathOf('messages', message) + '/parts';
  if (edit.kind === 'add') return { method: 'POST', path, body: edit.part };
  if (edit.kind === 'replaceAll') return { method: 'PUT', path, body: edit.parts };
  const one = path + pathTo`/${uuidOf(edit.part)}`;
  return edit.kind === 'replace'
    ? { method: 'PUT', path: one, body: edit.by }
    : { method: 'DELETE', path: one };
}
