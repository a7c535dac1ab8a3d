import type { BasicIdentity, NotificationInput, PartInput } from '@parley/contract/gen/records';
import type { Action } from '../records/operation.ts';
import type { Message, MessageContent } from './message.ts';
import type { Query, PagedQuery } from '../query/query.ts';

/** Calls of the public objects to their client. */
export type Actions = {
  /** URI of the user's identity. */
  readonly me: string;
  /** The identity with its newest name. */
  named(identity: BasicIdentity): BasicIdentity;
  newId(): string;
  partsOf(content: MessageContent): { parts: readonly PartInput[]; notification?: NotificationInput };
  act(action: Action, id?: string): Promise<void>;
  retry(which: { id?: string; lane?: string }): Promise<void>;
  discard(operation: string): Promise<void>;
  /** Waits until a message is sent; by its URI. */
  settled(message: string): Promise<Message>;
  /** The message as it is shown now. */
  shownMessage(conversation: string, id: string): Message | undefined;
  refreshMessage(id: string): Promise<void>;
  refreshConversation(id: string): Promise<void>;
  messages(conversation: string, options?: { pageSize?: number }): PagedQuery<Message>;
  typists(conversation: string): Query<readonly BasicIdentity[]>;
  type(conversation: string, isTyping: boolean): void;
};
