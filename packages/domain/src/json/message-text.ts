import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../ids.ts';
import type { RecipientStatuses } from '../receipts.ts';
import type { Wire } from '../wire.ts';
import { messageObject } from './change/message.ts';
import { messageJson } from './message.ts';
import { reactionsJson } from './reaction.ts';
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
  // Its keys, and those of reactions, may be any.
  const { metadata, reactions } = message;
  const plain = { ...message, isUnread: false, metadata: '', reactions: [] };
  const text = JSON.stringify(messageJson(view, plain, new Map()));
  const start = text.lastIndexOf(IS_UNREAD);
  const more = moreText(view.wire, { metadata, reactions });
  return {
    start: text.slice(0, start),
    end: withMore(text.slice(text.indexOf(NO_STATUSES, start) + NO_STATUSES.length), more),
    isAscii: Buffer.byteLength(text) === text.length && Buffer.byteLength(more) === more.length,
  };
}

/** Text of metadata and reactions, which stand behind the other properties of a message; empty for most messages. */
function moreText(wire: Wire, { metadata, reactions }: Pick<Message, 'metadata' | 'reactions'>): string {
  const ofMetadata = metadata === '' ? '' : `,"metadata":${metadata}`;
  if (reactions.length === 0) return ofMetadata;
  return `${ofMetadata},"reactions":${JSON.stringify(reactionsJson(wire, reactions))}`;
}

function withMore(end: string, more: string): string {
  return more === '' ? end : `${end.slice(0, -1)}${more}}`;
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
