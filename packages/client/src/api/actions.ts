import type {
  BasicIdentity,
  MessageMetadata,
  NotificationInput,
  PartInput,
} from '@parley/contract/gen/records';
import type { Upload } from '../transfer/upload.ts';
import type { Action } from '../records/operation.ts';
import type { ConversationType } from '../records/policy.ts';
import type { Message, MessageContent } from './message.ts';
import type { Read } from './reads.ts';
import type { Query, PagedQuery } from '../query/query.ts';

/** Calls from public objects to their client. */
export type Actions = {
  /** URI of the user's identity. */
  readonly me: string;
  /** The types of conversations; undefined until they were read. */
  types(): readonly ConversationType[] | undefined;
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The identity with its newest name. */
  named(identity: BasicIdentity): BasicIdentity;
  newId(): string;
  partsOf(content: MessageContent): {
    readonly parts: readonly PartInput[];
    readonly files: readonly Blob[];
    readonly notification?: NotificationInput;
    readonly metadata?: MessageMetadata;
  };
  /** Stores files for a message, given by its URI; the parts refer to them until they have been uploaded. */
  attach(message: string, files: readonly Blob[]): Promise<readonly PartInput[]>;
  /** Continues the uploads of a message, or drops them. */
  uploadFiles(message: string): Promise<void>;
  dropFiles(message: string): Promise<void>;
  uploadsOf(parts: Message['parts']): readonly Upload[];
  act(action: Action, id?: string): Promise<void>;
  retry(which: { id?: string; lane?: string }): Promise<void>;
  discard(operation: string): Promise<void>;
  /** Waits until a message, given by its URI, is sent. */
  settled(message: string): Promise<Message>;
  /** The message as it is currently shown. */
  shownMessage(conversation: string, id: string): Message | undefined;
  refreshMessage(id: string): Promise<void>;
  refreshConversation(id: string): Promise<void>;
  messages(conversation: string, options?: { pageSize?: number }): PagedQuery<Message>;
  typists(conversation: string): Query<readonly BasicIdentity[]>;
  reads(conversation: string): Query<readonly Read[]>;
  type(conversation: string, isTyping: boolean): void;
};
