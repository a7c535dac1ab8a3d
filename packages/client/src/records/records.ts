import type {
  Announcement,
  BasicIdentity,
  Conversation,
  Identity,
  Message,
} from '@parley/contract/gen/records';

export type { Announcement, BasicIdentity, Identity, Message };

/**
 * The part of a conversation's history that is on the device: every message from the position `from` on that the user sees. It grows at the
 * new end through packets and at the old end through reads.
 */
export type Window = {
  readonly from: number;
  /** Nothing older exists. */
  readonly start: boolean;
  /** Whether messages may be missing, so that the window must be read again. */
  readonly stale: boolean;
};

/** A conversation as the platform confirmed it. */
export type StoredConversation = Omit<Conversation, 'unread_message_count' | 'total_message_count'> & {
  readonly unread_message_count: number;
  readonly total_message_count: number;
  /** The newest message according to the platform, even if its content is not here yet. */
  readonly last_message_id: string | null;
  /** Position of the newest message included in `unread_message_count`. */
  readonly counted_to: number;
  /** Server time by which conversations are sorted: that of the newest message not deleted for all, or of the creation. */
  readonly active_at: string;
  /** The message whose time is `active_at`; null: it is the time of the creation. */
  readonly active_id: string | null;
  readonly window: Window | undefined;
};

/** A name newer than the one in records that show the identity, and the server time at which it was received. */
export type NamedIdentity = Partial<Omit<Identity, 'id'>> & { readonly id: string; readonly at: string };

export type Step = {
  readonly operation: 'set' | 'delete' | 'add' | 'remove';
  readonly property: string;
  readonly id?: string | null;
  readonly value?: unknown;
};

type ObjectName<Type = string> = { readonly type: Type; readonly id: string };

/** Records that packets contain as a whole, by type. */
type Created = {
  readonly Conversation: Conversation;
  readonly Message: Message;
  readonly Announcement: Announcement;
  readonly Identity: Identity;
};

/** A packet that creates a record. */
export type Creation<Type extends keyof Created = keyof Created> = {
  [T in Type]: { readonly operation: 'create'; readonly object: ObjectName<T>; readonly data: Created[T] };
}[Type];

/** Whether a packet creates a record of a type. */
export function creates<Type extends keyof Created>(
  change: Change,
  type: Type,
): change is Change & Creation<Type> {
  return !('method' in change) && change.operation === 'create' && change.object.type === type;
}

/** The body of a packet that changes records. Later releases may have other types and operations. */
export type Change =
  | Creation
  | { readonly operation: 'update'; readonly object: ObjectName; readonly data: readonly Step[] }
  | { readonly operation: 'delete'; readonly object: ObjectName; readonly data: Deletion }
  | {
      readonly method: 'Conversation.mark_all_read' | 'Conversation.mark_all_delivered';
      readonly object: ObjectName;
      readonly data: { readonly position: number; readonly identity: BasicIdentity | null };
    };

export type Deletion = { readonly mode?: string; readonly from_position?: number | null };

/** A change and the server time at which it was sent. */
export type Packet = { readonly change: Change; readonly timestamp: string };

/** The stored form of a conversation. `before`: the present record, if there is one. */
export function storedConversation(
  conversation: Conversation,
  before: StoredConversation | undefined,
): StoredConversation {
  const { last_message: last, created_at } = conversation;
  const newest = last?.sent_at ?? created_at;
  const isOlder = before !== undefined && before.active_at > newest;
  return {
    ...conversation,
    unread_message_count: conversation.unread_message_count ?? 0,
    total_message_count: conversation.total_message_count ?? 0,
    last_message_id: last?.id ?? null,
    counted_to: last?.position ?? 0,
    active_at: isOlder ? before.active_at : newest,
    active_id: isOlder ? before.active_id : (last?.id ?? null),
    window: before?.window,
  };
}

/** Whether two values have the same JSON. */
export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The URI of a user's identity, as the platform writes it. */
export function identityUri(wire: string, userId: string): string {
  const escaped = encodeURIComponent(userId).replace(
    /[!~'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${wire}:///identities/${escaped}`;
}
