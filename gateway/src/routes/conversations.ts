import type { Route } from './route.ts';
import { createConversation } from './conversations/create.ts';
import { deleteConversation, deleteForAll } from './conversations/delete.ts';
import { getConversation, listConversations } from './conversations/read.ts';
import { markAllRead, updateConversation } from './conversations/update.ts';

const one = '/conversations/:conversation_id';

export const conversations: Route[] = [
  {
    method: 'GET',
    path: '/conversations',
    auth: 'session',
    kind: 'list',
    summary: 'List conversations',
    handle: listConversations,
  },
  {
    method: 'POST',
    path: '/conversations',
    auth: 'session',
    summary: 'Create a conversation',
    handle: createConversation,
  },
  { method: 'GET', path: one, auth: 'session', summary: 'Get a conversation', handle: getConversation },
  {
    method: 'PATCH',
    path: one,
    auth: 'session',
    summary: 'Change a conversation',
    handle: updateConversation,
  },
  {
    method: 'DELETE',
    path: one,
    auth: 'session',
    summary: 'Delete a conversation',
    handle: deleteConversation,
  },
  {
    method: 'POST',
    path: `${one}/mark_all_read`,
    auth: 'session',
    summary: 'Mark messages read up to a position',
    handle: markAllRead,
  },
];

const app = '/apps/:app_uuid';

export const serverConversations: Route[] = [
  {
    method: 'GET',
    path: `${app}/conversations`,
    auth: 'bearer',
    kind: 'list',
    summary: 'List all conversations',
    handle: listConversations,
  },
  {
    method: 'POST',
    path: `${app}/conversations`,
    auth: 'bearer',
    summary: 'Create a conversation',
    handle: createConversation,
  },
  { method: 'GET', path: app + one, auth: 'bearer', summary: 'Get a conversation', handle: getConversation },
  {
    method: 'PATCH',
    path: app + one,
    auth: 'bearer',
    summary: 'Change a conversation',
    handle: updateConversation,
  },
  {
    method: 'DELETE',
    path: app + one,
    auth: 'bearer',
    summary: 'Delete a conversation for all',
    handle: deleteForAll,
  },
];
