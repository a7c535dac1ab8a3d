import { CONNECTION_METHODS } from './connection.ts';
import { CONVERSATION_METHODS } from './conversations.ts';
import { MESSAGE_METHODS } from './messages.ts';
import { RESTRICTION_METHODS } from './restrictions.ts';
import { PRESENCE_METHODS } from './presence.ts';
import type { SocketMethod } from './request.ts';

/** Every method of socket requests. */
export const SOCKET_METHODS = {
  ...MESSAGE_METHODS,
  ...CONVERSATION_METHODS,
  ...RESTRICTION_METHODS,
  ...PRESENCE_METHODS,
  ...CONNECTION_METHODS,
} satisfies Readonly<Record<string, SocketMethod>>;

export type SocketMethodName = keyof typeof SOCKET_METHODS;
