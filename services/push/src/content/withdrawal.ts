import type { Wire } from '@parley/domain/wire';
import type { ShownPush } from '../sql/withdrawal.ts';

/** Payload by which the application on a phone takes notifications away. */
export type Withdrawal = {
  /** Ids of messages, or of conversations whose notification stands for all their messages. The last part of each is its identity. */
  ids: readonly string[];
  /** Present badge of the user. */
  badge: number;
};

/** Largest size of the ids that FCM and Apple take in a withdrawal. */
const MAX_BYTES = 3500;
/** Bytes of the quotation marks of an id within a text of JSON, and a comma. */
const MARKS_BYTES = 5;

type Source = {
  /** Newest first. */
  shown: readonly ShownPush[];
  /** Ids of notifications that the user does not need any more. */
  unwanted: ReadonlySet<string>;
  collapsesConversation: boolean;
};

/**
 * The ids of a withdrawal. A push service keeps the last one alone for a phone that is away, so each one repeats what was withdrawn
 * before, as far as there is room.
 */
export function withdrawnIds(wire: Wire, { shown, unwanted, collapsesConversation }: Source): string[] {
  const present = shown.filter(({ id }) => unwanted.has(id));
  const past = shown.filter((push) => push.is_withdrawn);
  const ids = [
    ...(collapsesConversation ? conversationsOf(shown, unwanted) : []).map((id) =>
      wire.uri('conversations', id),
    ),
    ...[...present, ...past].map((push) => wire.uri('messages', push.message_id)),
  ];
  let free = MAX_BYTES;
  return ids.filter((id) => (free -= Buffer.byteLength(id) + MARKS_BYTES) >= 0);
}

/** Conversations whose newest notification, which took the place of all earlier ones, is unwanted now. */
function conversationsOf(shown: readonly ShownPush[], unwanted: ReadonlySet<string>): string[] {
  const newest = new Map<string, ShownPush>();
  for (const push of shown) if (!newest.has(push.conversation_id)) newest.set(push.conversation_id, push);
  return [...newest.values()].filter(({ id }) => unwanted.has(id)).map((push) => push.conversation_id);
}
