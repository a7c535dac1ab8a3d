import type { Route } from './route.ts';
import { createContent, createContentInConversation } from './content/create.ts';
import { refreshContent, refreshContentInConversation } from './content/refresh.ts';

export const content: Route[] = [
  {
    method: 'POST',
    path: '/content',
    auth: 'session',
    summary: 'Ask for an upload of rich content',
    handle: createContent,
  },
  {
    method: 'GET',
    path: '/content/:content_id',
    auth: 'session',
    summary: 'Get a new download address',
    handle: refreshContent,
  },
];

const inConversation = '/apps/:app_uuid/conversations/:conversation_id/content';

export const serverContent: Route[] = [
  {
    method: 'POST',
    path: inConversation,
    auth: 'bearer',
    summary: 'Ask for an upload of rich content',
    handle: createContentInConversation,
  },
  {
    method: 'GET',
    path: `${inConversation}/:content_id`,
    auth: 'bearer',
    summary: 'Get a new download address',
    handle: refreshContentInConversation,
  },
];
