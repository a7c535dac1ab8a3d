import type { ParleyError } from '../errors.ts';
import type {
  BasicIdentity,
  MessagePart,
  PartInput,
  NotificationInput,
  RecipientStatus,
} from '@parley/contract/gen/records';

export type { BasicIdentity, MessagePart, PartInput, RecipientStatus };

/** What to send: a text, or parts. */
export type MessageContent =
  string | { readonly parts: readonly PartInput[]; readonly notification?: NotificationInput };

/** `sending`: kept on the device, and sent as soon as possible. `sent`: stored by the platform. `failed`: refused for good. */
export type MessageState = 'sending' | 'sent' | 'failed';

/** The properties of a message; see the class `Message` for what may be done with it. */
export type MessageRecord = {
  /** URI of the message, made on this device for its own ones. */
  readonly id: string;
  readonly conversationId: string;
  /** Number in the conversation; undefined until the platform has stored it. */
  readonly position: number | undefined;
  readonly parts: readonly MessagePart[];
  /** The texts of its parts of type text/plain, joined by line breaks. */
  readonly text: string;
  /** Null if the sender was erased. */
  readonly sender: BasicIdentity | null;
  /** Whether this user sent it. */
  readonly isOwn: boolean;
  readonly isUnread: boolean;
  /** Server time; undefined until the platform has stored it. */
  readonly sentAt: string | undefined;
  readonly updatedAt: string | undefined;
  /**
   * By the URI of the identity: how far the message has come with each participant. Of a message of another user only the
   * statuses of its sender and of this user are kept up to date; `refresh()` reads the others.
   */
  readonly recipientStatus: Readonly<Record<string, RecipientStatus>>;
  readonly state: MessageState;
  /** Why it failed. */
  readonly error: ParleyError | undefined;
};
