import type { Announcement, BasicIdentity, Identity, Metadata, Presence } from '@parley/contract/gen/records';
import type { Downloads } from '../transfer/downloads.ts';
import type { Uploads } from '../transfer/uploads.ts';
import type { Conversation } from './conversation.ts';
import type { ClientEvents, ConnectionState } from './events.ts';
import type { ConversationsOptions } from './list-queries.ts';
import type { Message } from './message.ts';
import type { List, PagedQuery, Query } from './query.ts';

/** Unread messages of all conversations together, and the number of conversations that have any. */
export type Unread = { readonly messages: number; readonly conversations: number };

/** What to create. */
export type NewConversation = {
  /** User ids, or URIs of identities. The user takes part without being named. */
  readonly participants: readonly string[];
  /** Asks for the one distinct conversation of these users, which may exist. */
  readonly distinct?: boolean;
  readonly metadata?: Metadata;
};

/** Where pushes to this device go. */
export type PushRegistration = {
  readonly token: string;
  readonly type: 'apns' | 'fcm' | 'gcm' | 'web';
  readonly deviceId: string;
} & Readonly<Record<string, unknown>>;

/** A user's device: their records, kept in step with the platform. Made by `createClient`. */
export type Client = {
  /** Resolves when the records are open: from the device if it knows the user, else after the first login. */
  readonly ready: Promise<void>;
  /** The user whose records are here; undefined until they are open. */
  readonly user: BasicIdentity | undefined;
  /** How the client stands to the platform. */
  readonly connection: Query<ConnectionState>;

  /**
   * The conversations that the user sees.
   *
   * @param options `sort`: `lastMessage` (by default) or `createdAt`; `where` leaves out conversations.
   * @example client.conversations({ where: ({ unreadCount }) => unreadCount > 0 });
   */
  conversations(options?: ConversationsOptions): Query<List<Conversation>>;
  /** One conversation, by its URI; undefined if the user does not see it. */
  conversation(id: string): Query<Conversation | undefined>;
  /** The messages of a conversation, by its URI: see `Conversation.messages`. */
  messages(conversation: string, options?: { pageSize?: number }): PagedQuery<Message>;
  /**
   * Creates a conversation. It is shown at once, and created as soon as possible; messages may be sent to it meanwhile. Of a
   * distinct one that exists already the conversation takes the id when that is known.
   *
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example const conversation = await client.createConversation({ participants: ['grace'], distinct: true });
   */
  createConversation(input: NewConversation): Promise<Conversation>;
  /** The unread count of all conversations. */
  unread(): Query<Unread>;

  /** The announcements, the newest first. */
  announcements(options?: { pageSize?: number }): PagedQuery<Announcement>;
  /** Marks an announcement as read, by its URI. */
  markAnnouncementRead(id: string): Promise<void>;
  /** Deletes an announcement for this user, by its URI. */
  deleteAnnouncement(id: string): Promise<void>;

  /** The presence of users, by user id: kept up to date while someone subscribes. */
  presence(userIds: readonly string[]): Query<Readonly<Record<string, Presence>>>;
  /**
   * Chooses what the user appears as; `auto` ends the choice.
   *
   * @throws ParleyError if the platform cannot be asked.
   */
  setPresence(status: 'available' | 'away' | 'busy' | 'invisible' | 'offline' | 'auto'): Promise<void>;
  /** Reads a user's identity from the platform. */
  identity(userId: string): Promise<Identity>;

  /** Whom the user follows. Read on demand: what another device changes is not noticed. */
  readonly following: Relation;
  /** Whom the user blocks. Read on demand, as above. */
  readonly blocks: Relation;
  /** Pushes to this device. `logout` ends them. */
  readonly push: { register(registration: PushRegistration): Promise<void>; unregister(): Promise<void> };

  /** Files on their way to the platform. */
  readonly uploads: Uploads;
  /** Rich content of messages, whose addresses are renewed when they have expired. */
  readonly downloads: Downloads;

  /**
   * Sends a request with the user's session: the library itself, and what it does not cover.
   *
   * @param path Below the platform's address, such as `/content`.
   * @throws ParleyError on any status but 2xx.
   */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<unknown>;

  /** Calls back at each event. Returns the function that ends it. */
  on<K extends keyof ClientEvents>(name: K, listener: (event: ClientEvents[K]) => void): () => void;

  /** Opens the connection again after `disconnect`. At first it is opened without being asked. */
  connect(): void;
  /** Closes the connection, and sends nothing until `connect`. What the user does meanwhile is kept. */
  disconnect(): void;
  /**
   * Ends the session at the platform and the pushes to this device, removes the user's records from the device with what was
   * not sent, and ends the client. If the platform cannot be reached, the rest is done all the same, with the diagnostic
   * `session_not_ended`.
   */
  logout(): Promise<void>;
  /** Ends the client. The records stay on the device, with what was not sent. */
  destroy(): Promise<void>;
};

/** Users to whom this one stands in a relation, by their user ids. */
export type Relation = {
  list(): Promise<string[]>;
  add(userId: string): Promise<void>;
  remove(userId: string): Promise<void>;
};
