import { bareId, pathOf, pathTo } from '../path.ts';
import type { HttpRequest } from '../connection/http.ts';
import type { Action, PartsEdit } from '../records/operation.ts';

type Request = Omit<HttpRequest, 'token' | 'signal'>;

/** The request that performs an action. Repeating it is harmless. */
export function requestOf(action: Action, wire: string): Request {
  switch (action.kind) {
    case 'createConversation': {
      const { conversation: id, participants, distinct, metadata, type } = action;
      return post('/conversations', { id, participants, distinct, metadata, type });
    }
    case 'send': {
      const { message: id, parts, notification, metadata } = action;
      const path = pathOf('conversations', wire, action.conversation) + '/messages';
      return post(path, { id, parts, ...(notification && { notification }), ...(metadata && { metadata }) });
    }
    case 'patch':
      return patch(pathOf('conversations', wire, action.conversation), wire, action.steps);
    case 'patchMessage':
      return patch(pathOf('messages', wire, action.message), wire, action.steps);
    case 'react': {
      const { replace, notification } = action;
      const path = reactionPath(wire, action) + (replace ? '?replace=true' : '');
      return { method: 'PUT', path, body: notification ? { notification } : {} };
    }
    case 'unreact':
      return remove(reactionPath(wire, action));
    case 'deleteConversation': {
      const leave = action.leave ? '&leave=true' : '';
      return remove(pathOf('conversations', wire, action.conversation) + '?mode=' + action.mode + leave);
    }
    case 'deleteMessage':
      return remove(pathOf('messages', wire, action.message) + '?mode=' + action.mode);
    case 'editParts':
      return editRequest(pathOf('messages', wire, action.message) + '/parts', wire, action.edit);
    case 'receipt':
      return post(pathOf('messages', wire, action.message) + '/receipts', { type: action.type });
    case 'markAllRead': {
      const path = pathOf('conversations', wire, action.conversation) + '/mark_all_read';
      return post(path, { position: action.position });
    }
    case 'announcementReceipt':
      return post(pathOf('announcements', wire, action.announcement) + '/receipts', { type: action.type });
    case 'deleteAnnouncement':
      return remove(pathOf('announcements', wire, action.announcement));
  }
}

/** `path`: that of all the message's parts. */
function editRequest(path: string, wire: string, edit: PartsEdit): Request {
  if (edit.kind === 'add') return post(path, edit.part);
  if (edit.kind === 'replaceAll') return { method: 'PUT', path, body: edit.parts };
  const one = path + pathTo`/${bareId(`${wire}://${path}/`, edit.part)}`;
  return edit.kind === 'replace' ? { method: 'PUT', path: one, body: edit.by } : remove(one);
}

function reactionPath(wire: string, { message, key }: { message: string; key: string }): string {
  return pathOf('messages', wire, message) + pathTo`/reactions/${key}`;
}

function patch(path: string, wire: string, body: unknown): Request {
  return { method: 'PATCH', path, body, headers: { 'content-type': `application/vnd.${wire}-patch+json` } };
}

function post(path: string, body: unknown): Request {
  return { method: 'POST', path, body };
}

function remove(path: string): Request {
  return { method: 'DELETE', path };
}
