/**
 * The client of a user's device: `createClient` makes it, and everything else is reached from there. How to use it is described in
 * [the guide](/guides/client-library/).
 *
 * @module @parley/client
 */

export { ParleyError, type ErrorRecord } from './errors.ts';
export { memoryStorage } from './store/memory.ts';
export {
  StaleEpochError,
  StoreFullError,
  TABLES,
  type Blobs,
  type ListOptions,
  type Row,
  type Storage,
  type Store,
  type Table,
  type Write,
} from './store/store.ts';
export {
  alone,
  type Command,
  type Coordinator,
  type CoordinatorFactory,
  type CoordinatorHandlers,
} from './tabs/coordinator.ts';
export { createClient } from './api/create-client.ts';
export { Conversation } from './api/conversation.ts';
export type { Client, NewConversation, Push, PushRegistration, Relation, Unread } from './api/client.ts';
export type { ConversationsOptions } from './api/list-queries.ts';
export type { ClientOptions } from './api/client-options.ts';
export type { SocketLike, WebSocketConstructor } from './connection/websocket.ts';
export type { ClientEvents, ConnectionState, Diagnostic } from './api/events.ts';
export type { Announcement } from './records/records.ts';
export {
  Message,
  type BasicIdentity,
  type MessageContent,
  type MessageMetadata,
  type MessagePart,
  type MessageState,
  type PartInput,
  type RecipientStatus,
} from './api/message.ts';
export type { Action, ConversationType, Role } from './records/policy.ts';
export type { Read } from './api/reads.ts';
export type { Reactions } from './records/reactions.ts';
export type { List, PagedQuery, Query } from './query/query.ts';
export type { Downloads, PartContent } from './transfer/downloads.ts';
export type { Upload, UploadedPart, UploadState, UploadStatus } from './transfer/upload.ts';
export type { UploadOptions, Uploads } from './transfer/uploads.ts';
