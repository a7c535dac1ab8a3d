import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../ids.ts';
import type { RecipientStatuses } from '../receipts.ts';
import type { Wire } from '../wire.ts';
import { messageObject } from './change/message.ts';
import { messageJson } from './message.ts';
import type { View } from './view.ts';

/** The JSON text of a message before and after `is_unread` and `recipient_status`, which differ between viewers. */
export type MessageText = {
  readonly start: string;
  readonly end: string;
  /** Whether all characters are ASCII: then so are those of every text made from it. */
  readonly isAscii: boolean;
};

/** Properties of a message that differ between viewers. `statuses`: as by `statusesText`. */
export type Seen = { isUnread: boolean | null; statuses: string };

// Neither key can occur within a JSON string, where quotation marks are escaped.
const IS_UNREAD = ',"is_unread":';
const NO_STATUSES = ',"recipient_status":{}';

export function messageText(view: View, message: Message): MessageText {
  const text = JSON.stringify(messageJson(view, { ...message, isUnread: false }, new Map()));
  const start = text.lastIndexOf(IS_UNREAD);
  return {
    start: text.slice(0, start),
    end: text.slice(text.indexOf(NO_STATUSES, start) + NO_STATUSES.length),
    isAscii: Buffer.byteLength(text) === text.length,
  };
}

/** The text of `messageJson` for one viewer. */
export function seenMessageText(
  { start, end }: Pick<MessageText, 'start' | 'end'>,
  { isUnread, statuses }: Seen,
): string {
  return `${start}${IS_UNREAD}${isUnread},"recipient_status":${statuses}${end}`;
}

/** The text of `recipient_status`. */
export function statusesText(wire: Wire, statuses: RecipientStatuses): string {
  let text = '';
  for (const [userId, status] of statuses) {
    // An identity's URI is already escaped.
    text += `${text === '' ? '' : ','}"${identityUri(wire, userId)}":"${status}"`;
  }
  return `{${text}}`;
}

/** The text of the change that creates a message, up to the message itself; `}` completes it. */
export function creationHead(
  view: View,
  { conversationId, id }: Pick<Message, 'conversationId' | 'id'>,
): string {
  return `{"operation":"create","object":${JSON.stringify(messageObject(view, conversationId, id))},"data":`;
}
