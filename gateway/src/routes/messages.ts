import type { Route } from './route.ts';
import { deleteMessage, deleteMessageForAll } from './messages/delete.ts';
import { getMessage, listMessages } from './messages/read.ts';
import { sendAsServer, sendMessage } from './messages/send.ts';

const list = '/conversations/:conversation_id/messages';
const one = '/messages/:message_id';

export const messages: Route[] = [
  {
    method: 'GET',
    path: list,
    auth: 'session',
    kind: 'list',
    summary: 'List messages',
    handle: listMessages,
  },
  { method: 'POST', path: list, auth: 'session', summary: 'Send a message', handle: sendMessage },
  {
    method: 'GET',
    path: one,
    auth: 'session',
    emptyNotFound: true,
    summary: 'Get a message',
    handle: getMessage,
  },
  {
    method: 'DELETE',
    path: one,
    auth: 'session',
    emptyNotFound: true,
    summary: 'Delete a message',
    handle: deleteMessage,
  },
];

const serverList = `/apps/:app_uuid${list}`;
const serverOne = `${serverList}/:message_id`;
const ofMessage = { auth: 'bearer', emptyNotFound: true } as const;

export const serverMessages: Route[] = [
  {
    method: 'GET',
    path: serverList,
    auth: 'bearer',
    kind: 'list',
    summary: 'List messages',
    handle: listMessages,
  },
  { method: 'POST', path: serverList, auth: 'bearer', summary: 'Send a message', handle: sendAsServer },
  { method: 'GET', path: serverOne, ...ofMessage, summary: 'Get a message', handle: getMessage },
  {
    method: 'DELETE',
    path: serverOne,
    ...ofMessage,
    summary: 'Delete a message for all',
    handle: deleteMessageForAll,
  },
];
