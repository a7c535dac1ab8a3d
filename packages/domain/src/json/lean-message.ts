import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { RecipientStatuses } from '../receipts.ts';
import { leanJson } from './lean.ts';
import { messageJson } from './message.ts';
import type { View } from './view.ts';

/** The JSON text of the lean packet body that creates a message, up to the part that differs between readers. */
export type LeanCreation = {
  readonly start: string;
  /** Whether all characters are ASCII. */
  readonly isAscii: boolean;
};

/**
 * State of a message that differs between readers. `seen`: given for the reader's own message and for a replayed one. `unread`: the
 * reader's unread count including this message; undefined: not known yet.
 */
export type LeanReader = {
  seen?: { isUnread: boolean; statuses: RecipientStatuses } | undefined;
  unread?: number | undefined;
};

export function leanCreation(view: View, message: Message): LeanCreation {
  const json = leanJson(view.wire, messageJson(view, { ...message, isUnread: false }, new Map())) as object;
  const {
    id: _id,
    is_unread: _unread,
    recipient_status: _statuses,
    ...data
  } = json as Record<string, unknown>;
  const object = { type: 'Message', id: message.id };
  const text = JSON.stringify({ operation: 'create', object, data });
  return { start: text.slice(0, -'}}'.length), isAscii: Buffer.byteLength(text) === text.length };
}

/** The rest of the body, for one reader. docs/protocol/lean-packets.md */
export function leanCreationEnd({ seen, unread }: LeanReader): string {
  const state = seen ? `,"is_unread":${seen.isUnread},"recipient_status":${statusesText(seen.statuses)}` : '';
  const count = unread === undefined ? '' : `,"unread_message_count":${unread}`;
  return `${state}}${count}}`;
}

function statusesText(statuses: RecipientStatuses): string {
  return JSON.stringify(Object.fromEntries(statuses));
}
