import { uuidOf } from '../sync/records.ts';
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
      return { method: 'POST', path: `/conversations/${uuidOf(action.conversation)}/messages`, body };
    }
    case 'patch':
      return {
        method: 'PATCH',
        path: `/conversations/${uuidOf(action.conversation)}`,
        body: action.steps,
        headers: { 'content-type': `application/vnd.${wire}-patch+json` },
      };
    case 'deleteConversation': {
      const leave = action.leave ? '&leave=true' : '';
      return {
        method: 'DELETE',
        path: `/conversations/${uuidOf(action.conversation)}?mode=${action.mode}${leave}`,
      };
    }
    case 'deleteMessage':
      return { method: 'DELETE', path: `/messages/${uuidOf(action.message)}?mode=${action.mode}` };
    case 'editParts':
      return editRequest(`/messages/${uuidOf(action.message)}/parts`, action.edit);
    case 'receipt':
      return {
        method: 'POST',
        path: `/messages/${uuidOf(action.message)}/receipts`,
        body: { type: action.type },
      };
    case 'markAllRead': {
      const path = `/conversations/${uuidOf(action.conversation)}/mark_all_read`;
      return { method: 'POST', path, body: { position: action.position } };
    }
    case 'announcementReceipt': {
      const path = `/announcements/${uuidOf(action.announcement)}/receipts`;
      return { method: 'POST', path, body: { type: action.type } };
    }
    case 'deleteAnnouncement':
      return { method: 'DELETE', path: `/announcements/${uuidOf(action.announcement)}` };
  }
}

function editRequest(path: string, edit: PartsEdit): Request {
  if (edit.kind === 'add') return { method: 'POST', path, body: edit.part };
  if (edit.kind === 'replaceAll') return { method: 'PUT', path, body: edit.parts };
  if (edit.kind === 'replace') return { method: 'PUT', path: `${path}/${uuidOf(edit.part)}`, body: edit.by };
  return { method: 'DELETE', path: `${path}/${uuidOf(edit.part)}` };
}
