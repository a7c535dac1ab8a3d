import type { Announcement, BasicIdentity, Identity, Metadata, Presence } from '@parley/contract/gen/records';
import type { ConversationType } from '../records/policy.ts';
import type { Downloads } from '../transfer/downloads.ts';
import type { Uploads } from '../transfer/uploads.ts';
import type { Conversation } from './conversation.ts';
import type { ClientEvents, ConnectionState } from './events.ts';
import type { ConversationsOptions } from './list-queries.ts';
import type { Message } from './message.ts';
import type { List, PagedQuery, Query } from '../query/query.ts';

/** Number of unread messages in all conversations together, and of conversations that have any. */
export type Unread = { readonly messages: number; readonly conversations: number };

/** A conversation to create. */
export type NewConversation = {
  /** User ids, or URIs of identities. The user is added automatically. */
  readonly participants: readonly string[];
  /** Requests the distinct conversation of these users, which may already exist. */
  readonly distinct?: boolean;
  readonly metadata?: Metadata;
  /** The name of its type; by default `default`. */
  readonly type?: string;
};

/** The address of this device for pushes. */
export type PushRegistration = {
  readonly token: string;
  readonly type: 'apns' | 'fcm' | 'gcm' | 'web';
  /** Names the device among those of the user, always the same; by default the client makes a name, and keeps it. */
  readonly deviceId?: string;
} & Readonly<Record<string, unknown>>;

/** A user's device: their records, kept in step with the platform. Made by `createClient`. */
export type Client = {
  /** Resolves when the records are open: from the device if it knows the user, otherwise after the first login. */
  readonly ready: Promise<void>;
  /** The user whose records are here; undefined until they are open. */
  readonly user: BasicIdentity | undefined;
  /** State of the connection to the platform. */
  readonly connection: Query<ConnectionState>;

  /**
   * The conversations that the user sees.
   *
   * @param options `sort`: `lastMessage` (by default) or `createdAt`; `where` leaves out conversations.
   * @returns A live query of all of them.
   * @example client.conversations({ where: ({ unreadCount }) => unreadCount > 0 });
   */
  conversations(options?: ConversationsOptions): Query<List<Conversation>>;
  /**
   * One conversation.
   *
   * @param id Its URI.
   * @returns A live query of the conversation, which is undefined if the user does not see it.
   * @example const { unreadCount } = client.conversation(id).getSnapshot();
   */
  conversation(id: string): Query<Conversation | undefined>;
  /**
   * The messages of a conversation, the oldest first: a live window that begins with the newest page.
   *
   * @param conversation URI of the conversation.
   * @param options `pageSize`: 1 to 100, by default 50.
   * @returns A live query, as that of `Conversation.messages`.
   * @example const messages = client.messages(id, { pageSize: 30 });
   */
  messages(conversation: string, options?: { pageSize?: number }): PagedQuery<Message>;
  /**
   * Creates a conversation. It is shown at once, and created as soon as possible; messages may be sent to it meanwhile. Of a
   * distinct one that exists already the conversation takes the id when that is known.
   *
   * @param input The participants, and what else it begins with.
   * @returns The conversation, in the state `sending`.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example const conversation = await client.createConversation({ participants: ['grace'], distinct: true });
   */
  createConversation(input: NewConversation): Promise<Conversation>;
  /**
   * Reads the types of conversations, by which `Conversation.can` knows what the user may do. An application that has types reads
   * them at its start, and again after a refusal with `access_denied`.
   *
   * @returns All types, `default` first.
   * @throws ParleyError on any status but 2xx; `network_error` without an answer.
   * @example await client.types();
   */
  types(): Promise<readonly ConversationType[]>;
  /**
   * The unread messages of all conversations.
   *
   * @returns A live query of the counts.
   * @example const { messages, conversations } = client.unread().getSnapshot();
   */
  unread(): Query<Unread>;

  /**
   * The announcements, the newest first.
   *
   * @param options `pageSize`: 1 to 100, by default 50.
   * @returns A live window that begins with the newest page.
   * @example const announcements = client.announcements({ pageSize: 20 });
   */
  announcements(options?: { pageSize?: number }): PagedQuery<Announcement>;
  /**
   * Marks an announcement as read. It is shown at once, and sent as soon as possible.
   *
   * @param id URI of the announcement.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await client.markAnnouncementRead(announcement.id);
   */
  markAnnouncementRead(id: string): Promise<void>;
  /**
   * Deletes an announcement for this user. It is shown at once, and sent as soon as possible.
   *
   * @param id URI of the announcement.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await client.deleteAnnouncement(announcement.id);
   */
  deleteAnnouncement(id: string): Promise<void>;

  /**
   * The presence of users, kept up to date while the query has a subscriber.
   *
   * @param userIds The users.
   * @returns A live query of the presence by user id; a user whose presence is not known is missing.
   * @example const presence = client.presence(['grace']);
   */
  presence(userIds: readonly string[]): Query<Readonly<Record<string, Presence>>>;
  /**
   * Chooses what the user appears as.
   *
   * @param status What to appear as; `auto` ends the choice.
   * @throws ParleyError what the platform answers, or `network_error`.
   * @example await client.setPresence('busy');
   */
  setPresence(status: 'available' | 'away' | 'busy' | 'invisible' | 'offline' | 'auto'): Promise<void>;
  /**
   * Reads a user's identity from the platform.
   *
   * @param userId The user id.
   * @returns The identity at this moment. Later changes do not reach it.
   * @throws ParleyError `not_found` if there is no such user; `network_error`.
   * @example const { display_name } = await client.identity('grace');
   */
  identity(userId: string): Promise<Identity>;

  /**
   * Finds users of the application by the beginning of a word of their display names, or of their user ids, without case and accents.
   *
   * @param text 1 to 64 characters.
   * @param options `limit`: at most as many users, by default 20, which is also the most.
   * @returns The users at this moment, without suspended ones and those who block the user.
   * @throws ParleyError `access_denied` if the application does not open its directory, which `features` tells; `rate_limit_exceeded`
   * beyond 10 requests a second; `network_error`.
   * @example const [grace] = await client.findUsers('gra');
   */
  findUsers(text: string, options?: { limit?: number }): Promise<BasicIdentity[]>;
  /**
   * Names of the features that are switched on for the application, such as `user_directory`.
   *
   * @returns A live query; it has the names of the last connection, and none before the first.
   * @example const canFind = client.features.getSnapshot().includes('user_directory');
   */
  readonly features: Query<readonly string[]>;

  /** Whom the user follows. Read on demand: what another device changes is not noticed. */
  readonly following: Relation;
  /** Users whom this user blocks. Read on demand, like `following`. */
  readonly blocks: Relation;
  /** Pushes to this device. */
  readonly push: Push;

  /** Files being uploaded to the platform. */
  readonly uploads: Uploads;
  /** Rich content of messages, whose addresses are renewed when they have expired. */
  readonly downloads: Downloads;

  /**
   * Sends a request with the user's session: the library itself, and what it does not cover.
   *
   * @param method The method of HTTP.
   * @param path Below the platform's address, such as `/content`.
   * @param options `body`: JSON; `headers`: more headers.
   * @returns The body of the answer; null if it has none.
   * @throws ParleyError on any status but 2xx; `network_error` without an answer.
   * @example const { total_message_count } = await client.request('GET', `/conversations/${uuid}`);
   */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<unknown>;

  /**
   * Calls back at each event.
   *
   * @param name The event; `ClientEvents` lists them.
   * @param listener Takes the event.
   * @returns A function that ends it.
   * @example
   * const stop = client.on('failed', ({ operation, error }) => report(operation, error.message));
   */
  on<K extends keyof ClientEvents>(name: K, listener: (event: ClientEvents[K]) => void): () => void;

  /**
   * Opens the connection again after `disconnect`, for all tabs that share it. At first it is opened without being asked.
   *
   * @example client.connect();
   */
  connect(): void;
  /**
   * Closes the connection of all tabs that share it, and sends nothing until `connect`: requests fail with `network_error`, uploads
   * wait, and what the user does meanwhile is kept.
   *
   * @example client.disconnect();
   */
  disconnect(): void;
  /**
   * Ends the session at the platform and the pushes to this device, removes the user's records from the device with what was
   * not sent, and ends the client. If the platform cannot be reached, the rest is done all the same, with the diagnostic
   * `session_not_ended`.
   *
   * @throws ParleyError `destroyed` if the client has ended already.
   * @example await client.logout();
   */
  logout(): Promise<void>;
  /**
   * Ends the client. The records stay on the device, with what was not sent.
   *
   * @throws Error if the storage cannot be closed.
   * @example await client.destroy();
   */
  destroy(): Promise<void>;
};

/** Pushes to this device. `logout` ends them. */
export type Push = {
  /**
   * Has the platform notify this device; an earlier registration of the same device is replaced.
   *
   * @param registration The token that the push service gave, and the device's id.
   * @throws ParleyError `invalid_property`, or `network_error`.
   * @example await client.push.register({ token, type: 'fcm', deviceId });
   */
  register(registration: PushRegistration): Promise<void>;
  /**
   * Ends the pushes; does nothing if none were registered.
   *
   * @throws ParleyError what the platform answers, or `network_error`.
   * @example await client.push.unregister();
   */
  unregister(): Promise<void>;
};

/** Users in a relation to this user, by their user ids. */
export type Relation = {
  /**
   * Reads the users from the platform.
   *
   * @returns Their user ids.
   * @throws ParleyError what the platform answers, or `network_error`.
   * @example const blocked = await client.blocks.list();
   */
  list(): Promise<string[]>;
  /**
   * Adds a user; does nothing if the relation exists.
   *
   * @param userId The user id.
   * @throws ParleyError what the platform answers, or `network_error`.
   * @example await client.following.add('grace');
   */
  add(userId: string): Promise<void>;
  /**
   * Removes a user; does nothing if there is no such relation.
   *
   * @param userId The user id.
   * @throws ParleyError what the platform answers, or `network_error`.
   * @example await client.blocks.remove('eve');
   */
  remove(userId: string): Promise<void>;
};
