// The server client, made from the description of the REST API by
// `UPDATE_DOCS=1 npm test -- scripts/contract`.

import type {
  Announcement,
  AnnouncementInput,
  AppSettingStep,
  Badge,
  BadgeInput,
  BasicIdentity,
  BlockStep,
  Content,
  Conversation,
  ConversationInput,
  ConversationPatch,
  ConversationType,
  ConversationTypeInput,
  Delivery,
  DeliveryStatus,
  DeliveryWithAttempts,
  Export,
  ExportKey,
  ExportKeyInput,
  ExportScheduleInput,
  ExportSettings,
  Identity,
  IdentityChanges,
  IdentityInput,
  IdentityStep,
  MarkAllDeliveredInput,
  MarkAllReadInput,
  MarkedDelivered,
  MarkedRead,
  Message,
  MessageBatch,
  MessageInput,
  MessagePart,
  MessagePatch,
  NotificationRequest,
  PartInput,
  PartsInput,
  PresenceInput,
  Push,
  PushKey,
  PushTokenInput,
  Reaction,
  ReactionInput,
  ReceiptInput,
  ReplayCount,
  ReplayInput,
  Restriction,
  RestrictionInput,
  ScheduledMessage,
  SecretInput,
  ServerMessageInput,
  SuspensionStep,
  TestEventInput,
  User,
  UserRestrictionInput,
  Webhook,
  WebhookChanges,
  WebhookInput,
  WebhookWithSecret,
} from '@parley/contract/gen/records';
import { isFound, type RequestOptions, type Send } from '../src/server/send.ts';

/** The operations of servers. */
export function serverOperations(send: Send) {
  return {
    /**
     * Links to where clients begin. With an Authorization header it also checks the token, so that a client learns whether its session has ended.
     *
     * @param options See {@link RequestOptions}.
     * @throws ParleyError as any request; see `createServerClient`
     * @example
     * await server.discover();
     */
    discover(options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'GET', path: '//' }, options);
    },

    /**
     * All conversations of the app, the newest first.
     *
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the conversations of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of conversations.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listConversations();
     */
    listConversations(options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Conversation[]> {
      return send<Conversation[]>({ method: 'GET', path: '/conversations', query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Creates a conversation of the users named. With `distinct` there is at most one conversation of the same participants. If there is one, it is the answer when `metadata` is left out or equal; otherwise the request fails with `conflict`.
     *
     * @param body The body of the request.
     * @param options `ifNoneMatch`: The id of the new object, as a URI or a bare UUID, for bodies without an `id`. See {@link RequestOptions}.
     * @returns The distinct conversation of these participants, which there was already. The new conversation.
     * @throws ParleyError `invalid_request_id`, `not_found`, `conflict`, `id_in_use`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.createConversation({participants: ["ada","bob"],distinct: true,metadata: {topic: "engines"}});
     */
    createConversation(body: ConversationInput, options: { ifNoneMatch?: string } & RequestOptions = {}): Promise<Conversation> {
      return send<Conversation>({ method: 'POST', path: '/conversations', headers: { 'if-none-match': options.ifNoneMatch }, body }, options);
    },

    /**
     * Any conversation of the app.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The conversation.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.getConversation('01990000-0000-7000-8000-00000000000c');
     */
    getConversation(conversationId: string, options: RequestOptions = {}): Promise<Conversation> {
      return send<Conversation>({ method: 'GET', path: '/conversations/:conversations', names: [conversationId] }, options);
    },

    /**
     * Changes metadata and participants.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.updateConversation('01990000-0000-7000-8000-00000000000c', [{operation: "set",property: "metadata.topic",value: "looms"},{operation: "add",property: "participants",id: "grace"}]);
     */
    updateConversation(conversationId: string, body: ConversationPatch, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/conversations/:conversations', names: [conversationId], body }, options);
    },

    /**
     * Deletes a conversation for all participants. Deleting it once more succeeds.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteConversation('01990000-0000-7000-8000-00000000000c');
     */
    deleteConversation(conversationId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/conversations/:conversations', names: [conversationId] }, options);
    },

    /**
     * The rules of all types of conversations.
     *
     * @param options See {@link RequestOptions}.
     * @returns All types, `default` first.
     * @throws ParleyError `not_found`
     * @example
     * await server.listTypes();
     */
    listTypes(options: RequestOptions = {}): Promise<ConversationType[]> {
      return send<ConversationType[]>({ method: 'GET', path: '/types' }, options);
    },

    /**
     * Replaces the rules of a type; what is left out is the default. They hold for every act that begins after the answer.
     *
     * @param typeName The type.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The type.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`
     * @example
     * await server.putType('support', {actions: {delete_any: ["owner","moderator"]},creator_role: "owner",slow_mode_in_seconds: 10});
     */
    putType(typeName: string, body: ConversationTypeInput, options: RequestOptions = {}): Promise<ConversationType> {
      return send<ConversationType>({ method: 'PUT', path: '/types/*', names: [typeName], body }, options);
    },

    /**
     * Deletes a type that no conversation has. Deleting `default` restores its defaults.
     *
     * @param typeName The type.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`
     * @example
     * await server.deleteType('support');
     */
    deleteType(typeName: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/types/*', names: [typeName] }, options);
    },

    /**
     * The restrictions in force, the newest first. Users need the action `restrict`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the users of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of restrictions.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`
     * @example
     * await server.listRestrictions('01990000-0000-7000-8000-00000000000c');
     */
    listRestrictions(conversationId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Restriction[]> {
      return send<Restriction[]>({ method: 'GET', path: '/conversations/:conversations/restrictions', names: [conversationId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Restricts a user, in place of a restriction before. A mute keeps them from writing; a ban removes them, and nobody adds them again. Users need the action `restrict`, and restrict nobody of a higher role.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.putRestriction('01990000-0000-7000-8000-00000000000c', 'grace', {type: "mute",until: "2099-11-21T20:15:30.123Z",reason: "Off topic"});
     */
    putRestriction(conversationId: string, userId: string, body: RestrictionInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/conversations/:conversations/restrictions/:identities', names: [conversationId, userId], body }, options);
    },

    /**
     * Ends a restriction. A user who was banned is not added again.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.deleteRestriction('01990000-0000-7000-8000-00000000000c', 'grace');
     */
    deleteRestriction(conversationId: string, userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/conversations/:conversations/restrictions/:identities', names: [conversationId, userId] }, options);
    },

    /**
     * Keeps a user from writing in every conversation, in place of a restriction before.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.putUserRestriction('grace', {type: "mute",until: "2099-11-21T20:15:30.123Z",reason: "Off topic"});
     */
    putUserRestriction(userId: string, body: UserRestrictionInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/restriction', names: [userId], body }, options);
    },

    /**
     * Lets the user write again, where the conversation allows it.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteUserRestriction('grace');
     */
    deleteUserRestriction(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/restriction', names: [userId] }, options);
    },

    /**
     * The identities of the users whom a user follows, in the order of user ids, each with its presence.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options `pageSize`: Items a page, at most 500. `fromId`: The last of the identities of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of identities.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listFollowedIdentitiesOfUser('grace');
     */
    listFollowedIdentitiesOfUser(ownerUserId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Identity[]> {
      return send<Identity[]>({ method: 'GET', path: '/users/:identities/identities', names: [ownerUserId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * The identity of a user, with their presence.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns The identity.
     * @throws ParleyError `not_found`
     * @example
     * await server.getIdentity('grace');
     */
    getIdentity(userId: string, options: RequestOptions = {}): Promise<Identity> {
      return send<Identity>({ method: 'GET', path: '/users/:identities/identity', names: [userId] }, options);
    },

    /**
     * Makes a user. A login makes one too, from the claims of the identity token.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`, `missing_property`
     * @example
     * await server.createIdentity('grace', {display_name: "Ada Lovelace",first_name: "Ada",last_name: "Lovelace",email_address: "ada@example.com",metadata: {team: "analysis"}});
     */
    createIdentity(userId: string, body: IdentityInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/identity', names: [userId], body }, options);
    },

    /**
     * Replaces the whole identity: what the body leaves out becomes empty.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.replaceIdentity('grace', {display_name: "Ada Lovelace",first_name: "Ada",last_name: "Lovelace",email_address: "ada@example.com",metadata: {team: "analysis"}});
     */
    replaceIdentity(userId: string, body: IdentityInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/identity', names: [userId], body }, options);
    },

    /**
     * Changes some properties: an object with the new values, or a patch array.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.updateIdentity('grace', [{operation: "set",property: "display_name",value: "Ada King"},{operation: "set",property: "metadata.team",value: "analysis"},{operation: "delete",property: "phone_number"}]);
     */
    updateIdentity(userId: string, body: IdentityStep[] | IdentityChanges, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/users/:identities/identity', names: [userId], body }, options);
    },

    /**
     * Deletes the identity and ends all sessions of the user. Their messages stay. To delete those too, erase the user.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteIdentity('grace');
     */
    deleteIdentity(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/identity', names: [userId] }, options);
    },

    /**
     * The ids of the users whom a user follows: those with whom they ever shared a conversation and those whom they chose to follow, but for those whom they unfollowed.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options `pageSize`: Items a page, at most 500. `fromId`: The last of the users of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of user ids.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listFollowedUsersOfUser('grace');
     */
    listFollowedUsersOfUser(ownerUserId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<string[]> {
      return send<string[]>({ method: 'GET', path: '/users/:identities/following', names: [ownerUserId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Follows several users. It is done in the background; users who do not exist are skipped. A user that is not valid is refused with `data.property` = `user_ids`.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.followUsersForUser('grace', ["bob","svc:///identities/grace"]);
     */
    followUsersForUser(ownerUserId: string, body: string[], options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/following', names: [ownerUserId], body }, options);
    },

    /**
     * Whether a user follows another user.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns Whether it is so.
     * @throws ParleyError `not_found`
     * @example
     * await server.isFollowingOfUser('grace', 'grace');
     */
    isFollowingOfUser(ownerUserId: string, userId: string, options: RequestOptions = {}): Promise<boolean> {
      return isFound(send<void>({ method: 'GET', path: '/users/:identities/following/:identities', names: [ownerUserId, userId] }, options));
    },

    /**
     * Follows a user: changes of the user's identity reach the follower's sockets from now on.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.followUserForUser('grace', 'grace');
     */
    followUserForUser(ownerUserId: string, userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/following/:identities', names: [ownerUserId, userId] }, options);
    },

    /**
     * Unfollows a user. Joining a conversation with the user follows them again.
     *
     * @param ownerUserId The user who follows others. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.unfollowUserForUser('grace', 'grace');
     */
    unfollowUserForUser(ownerUserId: string, userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/following/:identities', names: [ownerUserId, userId] }, options);
    },

    /**
     * The users whom a user blocks.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns All blocked users. One whose identity was deleted is listed without a name.
     * @throws ParleyError `not_found`
     * @example
     * await server.listBlocksOfUser('grace');
     */
    listBlocksOfUser(userId: string, options: RequestOptions = {}): Promise<BasicIdentity[]> {
      return send<BasicIdentity[]>({ method: 'GET', path: '/users/:identities/blocks', names: [userId] }, options);
    },

    /**
     * Changes whom a user blocks.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`, `missing_property`
     * @example
     * await server.patchBlocks('grace', [{operation: "add",property: "blocks",id: "bob"},{operation: "remove",property: "blocks",id: "svc:///identities/grace"}]);
     */
    patchBlocks(userId: string, body: BlockStep[], options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/users/:identities/blocks', names: [userId], body }, options);
    },

    /**
     * The users of the application by user id, all of them, those of a kind, or those whom a text finds.
     *
     * @param options `type`: Those of this type. Default: all. `suspended`: `true`: those who are suspended; `false`: the others. Default: all. `q`: Those of whom a word of the display name, or the user id, begins with this text, without case and accents. 1 to 64 characters, of which letters, digits and signs such as emoji count. `pageSize`: Items a page, at most 100. `fromId`: The last of the users of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of users.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listUsers();
     */
    listUsers(options: { type?: 'user' | 'bot'; suspended?: boolean; q?: string; pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<User[]> {
      return send<User[]>({ method: 'GET', path: '/users', query: { type: options.type, suspended: options.suspended, q: options.q, page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * A user: their identity, and whether they are suspended.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns The user.
     * @throws ParleyError `not_found`
     * @example
     * await server.getUser('grace');
     */
    getUser(userId: string, options: RequestOptions = {}): Promise<User> {
      return send<User>({ method: 'GET', path: '/users/:identities', names: [userId] }, options);
    },

    /**
     * Suspends a user or lets them back, and changes whom they block. A suspension ends all sessions.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`, `missing_property`
     * @example
     * await server.updateUser('grace', [{operation: "set",property: "suspended",value: true},{operation: "add",property: "blocks",id: "bob"}]);
     */
    updateUser(userId: string, body: (SuspensionStep | BlockStep)[], options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/users/:identities', names: [userId], body }, options);
    },

    /**
     * Erases the person: their identity, sessions and receipts, and the content of their messages, which stay as deleted ones. The user may come back later with nothing of this.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.eraseUser('grace');
     */
    eraseUser(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities', names: [userId] }, options);
    },

    /**
     * Ends all sessions of a user and closes their sockets.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteUserSessions('grace');
     */
    deleteUserSessions(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/sessions', names: [userId] }, options);
    },

    /**
     * The numbers that make a user's badge.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns The counts.
     * @throws ParleyError `not_found`
     * @example
     * await server.getBadge('grace');
     */
    getBadge(userId: string, options: RequestOptions = {}): Promise<Badge> {
      return send<Badge>({ method: 'GET', path: '/users/:identities/badge', names: [userId] }, options);
    },

    /**
     * Sets the count of unread things outside the platform.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.setBadge('grace', {external_unread_count: 2});
     */
    setBadge(userId: string, body: BadgeInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/badge', names: [userId], body }, options);
    },

    /**
     * The pushes to a user's devices, newest first. They are kept for three days.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the pushes of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of pushes.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listPushes('grace');
     */
    listPushes(userId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Push[]> {
      return send<Push[]>({ method: 'GET', path: '/users/:identities/pushes', names: [userId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Sends a push without a message to all devices of the recipients.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`, `missing_property`
     * @example
     * await server.requestNotification({recipients: ["bob"],notification: {title: "News",text: "Something new"}});
     */
    requestNotification(body: NotificationRequest, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/notifications', body }, options);
    },

    /**
     * Sends an announcement. A body of more than 1 MB is refused with 413: send the announcement in batches of recipients. An id that is in use is 409, with the existing announcement in `data`.
     *
     * @param body The body of the request.
     * @param options `ifNoneMatch`: The id of the new object, as a URI or a bare UUID, for bodies without an `id`. See {@link RequestOptions}.
     * @returns The announcement is stored and will be delivered to each recipient.
     * @throws ParleyError `invalid_request_id`, `not_found`, `conflict`, `id_in_use`, `invalid_property`, `missing_property`
     * @example
     * await server.createAnnouncement({sender_id: "ada",recipients: ["bob"],parts: [{mime_type: "text/plain",body: "The office is closed on Friday."}]});
     */
    createAnnouncement(body: AnnouncementInput, options: { ifNoneMatch?: string } & RequestOptions = {}): Promise<Announcement> {
      return send<Announcement>({ method: 'POST', path: '/announcements', headers: { 'if-none-match': options.ifNoneMatch }, body }, options);
    },

    /**
     * The messages of a conversation that the reader sees, newest first.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the messages of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of messages.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`
     * @example
     * await server.listMessages('01990000-0000-7000-8000-00000000000c');
     */
    listMessages(conversationId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Message[]> {
      return send<Message[]>({ method: 'GET', path: '/conversations/:conversations/messages', names: [conversationId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Sends a message in the name of a participant or of a bot. An unknown `sender_id` is `not_found`; a user who does not take part is `invalid_property`.
     *
     * With `schedule` the message is stored now and sent later; until then it is among the scheduled messages.
     *
     * An array is a batch of at most 12 messages. All of them are checked before the first is sent: a wrong one fails the request with a property such as `3.parts`. From then on each stands alone: one whose id is in use is skipped.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options `ifNoneMatch`: The id of the new object, as a URI or a bare UUID, for bodies without an `id`. See {@link RequestOptions}.
     * @returns The message, which is stored. The message is scheduled, or the batch is sent. The body is empty.
     * @throws ParleyError `invalid_request_id`, `not_found`, `conflict`, `id_in_use`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.sendMessage('01990000-0000-7000-8000-00000000000c', {sender_id: "ada",id: "01990000-0000-7000-8000-00000000000d",parts: [{mime_type: "text/plain",body: "Hello, Bob!"}],notification: {title: "Ada Lovelace",text: "Hello, Bob!",sound: "chime.aiff"}});
     */
    sendMessage(conversationId: string, body: ServerMessageInput | MessageBatch, options: { ifNoneMatch?: string } & RequestOptions = {}): Promise<Message | undefined> {
      return send<Message | undefined>({ method: 'POST', path: '/conversations/:conversations/messages', names: [conversationId], headers: { 'if-none-match': options.ifNoneMatch }, body }, options);
    },

    /**
     * A message of the conversation.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The message.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.getMessage('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getMessage(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<Message> {
      return send<Message>({ method: 'GET', path: '/conversations/:conversations/messages/:messages', names: [conversationId, messageId] }, options);
    },

    /**
     * Changes the metadata of a message; servers may change all. It sets no `updated_at`, since metadata are for programs.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.updateMessage('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', [{operation: "set",property: "metadata.order.state",value: "shipped"}]);
     */
    updateMessage(conversationId: string, messageId: string, body: MessagePatch, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/conversations/:conversations/messages/:messages', names: [conversationId, messageId], body }, options);
    },

    /**
     * Deletes a message for all participants, for good. Deleting it once more succeeds.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.deleteMessage('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    deleteMessage(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/conversations/:conversations/messages/:messages', names: [conversationId, messageId] }, options);
    },

    /**
     * The messages of a conversation that wait to be sent, the next one first.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the scheduled messages of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of scheduled messages.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`
     * @example
     * await server.listScheduledMessages('01990000-0000-7000-8000-00000000000c');
     */
    listScheduledMessages(conversationId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<ScheduledMessage[]> {
      return send<ScheduledMessage[]>({ method: 'GET', path: '/conversations/:conversations/scheduled_messages', names: [conversationId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * A message that waits to be sent.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The scheduled message.
     * @throws ParleyError `not_found`
     * @example
     * await server.getScheduledMessage('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getScheduledMessage(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<ScheduledMessage> {
      return send<ScheduledMessage>({ method: 'GET', path: '/conversations/:conversations/scheduled_messages/:messages', names: [conversationId, messageId] }, options);
    },

    /**
     * Drops a message before it is sent. One that was sent already is `not_found`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.cancelScheduledMessage('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    cancelScheduledMessage(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/conversations/:conversations/scheduled_messages/:messages', names: [conversationId, messageId] }, options);
    },

    /**
     * All parts of a message.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.listParts('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    listParts(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'GET', path: '/conversations/:conversations/messages/:messages/parts', names: [conversationId, messageId] }, options);
    },

    /**
     * Adds a part behind the last one. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The new part.
     * @throws ParleyError `permission_denied`, `not_found`, `conflict`, `id_in_use`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.addPart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    addPart(conversationId: string, messageId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'POST', path: '/conversations/:conversations/messages/:messages/parts', names: [conversationId, messageId], body }, options);
    },

    /**
     * Replaces all parts. A part whose `id` the message has already is updated; the others are added. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `permission_denied`, `not_found`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.replaceParts('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', [{mime_type: "text/plain",body: "Hello, Bob!"}]);
     */
    replaceParts(conversationId: string, messageId: string, body: PartsInput, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'PUT', path: '/conversations/:conversations/messages/:messages/parts', names: [conversationId, messageId], body }, options);
    },

    /**
     * One part of a message.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `not_found`, `object_deleted`
     * @example
     * await server.getPart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getPart(conversationId: string, messageId: string, partId: string, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'GET', path: '/conversations/:conversations/messages/:messages/parts/:parts', names: [conversationId, messageId, partId] }, options);
    },

    /**
     * Replaces a part, which keeps its id and its place. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `permission_denied`, `not_found`, `object_deleted`, `invalid_property`, `missing_property`
     * @example
     * await server.updatePart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    updatePart(conversationId: string, messageId: string, partId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'PUT', path: '/conversations/:conversations/messages/:messages/parts/:parts', names: [conversationId, messageId, partId], body }, options);
    },

    /**
     * Removes a part. The last one stays: `invalid_operation`. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `permission_denied`, `not_found`, `object_deleted`, `invalid_operation`
     * @example
     * await server.removePart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    removePart(conversationId: string, messageId: string, partId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/conversations/:conversations/messages/:messages/parts/:parts', names: [conversationId, messageId, partId] }, options);
    },

    /**
     * Who reacted to a message, newest first, without users whom the reader blocks. The counts that the message shows include them.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options `key`: An emoji or a short name: 1 to 64 bytes of UTF-8 in NFC, without control and bidirectional characters, `/` and `\`, and not `.`, `..` or `__proto__`. Only reactions with it. `pageSize`: Items a page, at most 100. `fromId`: The last of the reactions of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of reactions; a page shorter than asked is the last one.
     * @throws ParleyError `not_found`, `object_deleted`, `invalid_property`
     * @example
     * await server.listReactions('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    listReactions(conversationId: string, messageId: string, options: { key?: string; pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Reaction[]> {
      return send<Reaction[]>({ method: 'GET', path: '/conversations/:conversations/messages/:messages/reactions', names: [conversationId, messageId], query: { key: options.key, page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Asks for an address for the upload of rich content, which is data too large for the body of a part. Once the upload is complete, a part of a message refers to it by `content.id`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param upload Media type and exact size of the bytes that will be uploaded.
     * @param options `uploadOrigin`: Origin of the web page that will send the upload. `uploadContentFilename`: Name under which a download is saved unless a part gives another one: percent-encoded UTF-8, by the rules of `filename` of a part. See {@link RequestOptions}.
     * @returns The content, to be uploaded to `upload_url` within seven days.
     * @throws ParleyError `quota_exceeded`, `not_found`, `conflict`, `object_deleted`, `invalid_property`
     * @example
     * await server.createContent('01990000-0000-7000-8000-00000000000c', { uploadContentType: 'image/jpeg', uploadContentLength: 481516 });
     */
    createContent(conversationId: string, upload: { uploadContentType: string; uploadContentLength: number }, options: { uploadOrigin?: string; uploadContentFilename?: string } & RequestOptions = {}): Promise<Content> {
      return send<Content>({ method: 'POST', path: '/conversations/:conversations/content', names: [conversationId], headers: { 'upload-content-type': String(upload.uploadContentType), 'upload-content-length': String(upload.uploadContentLength), 'upload-origin': options.uploadOrigin, 'upload-content-filename': options.uploadContentFilename } }, options);
    },

    /**
     * A new download address, which works until `expiration`. Content that was not uploaded is `not_found`. The conversation is the one it was uploaded for, or one with a message that has it.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param contentId The content. The URI or the bare UUID.
     * @param options `filename`: Name under which the download is saved, as the `refresh_url` of a part has it; otherwise that of the upload. See {@link RequestOptions}.
     * @returns The content.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.getContent('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getContent(conversationId: string, contentId: string, options: { filename?: string } & RequestOptions = {}): Promise<Content> {
      return send<Content>({ method: 'GET', path: '/conversations/:conversations/content/:content', names: [conversationId, contentId], query: { filename: options.filename } }, options);
    },

    /**
     * Changes settings of the app. A new session lifetime holds for new sessions.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.updateApp([{operation: "set",property: "session_ttl_in_seconds",value: 86400}]);
     */
    updateApp(body: AppSettingStep[], options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '', body }, options);
    },

    /**
     * Registers a target for events, and verifies it. The target is asked with `GET` and the query parameter `verification_challenge`; it has to answer 200 with the challenge as its whole body within 10 seconds. The webhook is `active` then, otherwise `inactive`.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The webhook waits for its verification.
     * @throws ParleyError `not_found`, `conflict`, `invalid_operation`, `invalid_property`, `missing_property`
     * @example
     * await server.createWebhook({version: "3.0",target_url: "https://app.example.com/notices",events: ["Message.created","Conversation.created"],secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",config: {tenant: "blue"}});
     */
    createWebhook(body: WebhookInput, options: RequestOptions = {}): Promise<Webhook> {
      return send<Webhook>({ method: 'POST', path: '/webhooks', body, accept: 'webhooks' }, options);
    },

    /**
     * All webhooks of the app, oldest first.
     *
     * @param options See {@link RequestOptions}.
     * @returns The webhooks.
     * @throws ParleyError `not_found`
     * @example
     * await server.listWebhooks();
     */
    listWebhooks(options: RequestOptions = {}): Promise<Webhook[]> {
      return send<Webhook[]>({ method: 'GET', path: '/webhooks', accept: 'webhooks' }, options);
    },

    /**
     * A webhook.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The webhook.
     * @throws ParleyError `not_found`
     * @example
     * await server.getWebhook('01990000-0000-7000-8000-00000000000c');
     */
    getWebhook(webhookId: string, options: RequestOptions = {}): Promise<Webhook> {
      return send<Webhook>({ method: 'GET', path: '/webhooks/:webhooks', names: [webhookId], accept: 'webhooks' }, options);
    },

    /**
     * Changes some properties. A new target is verified before it gets anything. A new secret replaces the old one at once; rotating it leaves a day to move.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The changed webhook.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.updateWebhook('01990000-0000-7000-8000-00000000000c', {events: ["Message.created","Conversation.created"]});
     */
    updateWebhook(webhookId: string, body: WebhookChanges, options: RequestOptions = {}): Promise<Webhook> {
      return send<Webhook>({ method: 'PATCH', path: '/webhooks/:webhooks', names: [webhookId], body, accept: 'webhooks' }, options);
    },

    /**
     * Deletes a webhook with its deliveries.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteWebhook('01990000-0000-7000-8000-00000000000c');
     */
    deleteWebhook(webhookId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/webhooks/:webhooks', names: [webhookId], accept: 'webhooks' }, options);
    },

    /**
     * Verifies a webhook again. The target is asked with `GET` and the query parameter `verification_challenge`; it has to answer 200 with the challenge as its whole body within 10 seconds. The webhook is `active` then, otherwise `inactive`.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The webhook waits for its verification.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.activateWebhook('01990000-0000-7000-8000-00000000000c');
     */
    activateWebhook(webhookId: string, options: RequestOptions = {}): Promise<Webhook> {
      return send<Webhook>({ method: 'POST', path: '/webhooks/:webhooks/activate', names: [webhookId], accept: 'webhooks' }, options);
    },

    /**
     * Pauses a webhook. Its deliveries wait until it is active again.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The webhook.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.deactivateWebhook('01990000-0000-7000-8000-00000000000c');
     */
    deactivateWebhook(webhookId: string, options: RequestOptions = {}): Promise<Webhook> {
      return send<Webhook>({ method: 'POST', path: '/webhooks/:webhooks/deactivate', names: [webhookId], accept: 'webhooks' }, options);
    },

    /**
     * Replaces the secret. The old one signs too for 24 hours.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The webhook with its new secret, shown this once.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.rotateWebhookSecret('01990000-0000-7000-8000-00000000000c', {});
     */
    rotateWebhookSecret(webhookId: string, body?: SecretInput, options: RequestOptions = {}): Promise<WebhookWithSecret> {
      return send<WebhookWithSecret>({ method: 'POST', path: '/webhooks/:webhooks/rotate_secret', names: [webhookId], body, accept: 'webhooks' }, options);
    },

    /**
     * The deliveries of a webhook, newest first.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param options `status`: only those with it. `pageSize`: Items a page, at most 100. `fromId`: The last of the deliveries of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of deliveries.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.listDeliveries('01990000-0000-7000-8000-00000000000c');
     */
    listDeliveries(webhookId: string, options: { status?: DeliveryStatus; pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Delivery[]> {
      return send<Delivery[]>({ method: 'GET', path: '/webhooks/:webhooks/deliveries', names: [webhookId], query: { status: options.status, page_size: options.pageSize, from_id: options.fromId }, accept: 'webhooks' }, options);
    },

    /**
     * A delivery with its attempts and its body.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param deliveryId The delivery.
     * @param options See {@link RequestOptions}.
     * @returns The delivery.
     * @throws ParleyError `not_found`
     * @example
     * await server.getDelivery('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getDelivery(webhookId: string, deliveryId: string, options: RequestOptions = {}): Promise<DeliveryWithAttempts> {
      return send<DeliveryWithAttempts>({ method: 'GET', path: '/webhooks/:webhooks/deliveries/:deliveries', names: [webhookId, deliveryId], accept: 'webhooks' }, options);
    },

    /**
     * Delivers an example of an event to a webhook, as every event is delivered: signed, and with retries. In its body `event.test` is true. The names of users and conversations in it do not exist.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The delivery is due now, or once the webhook is active.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.sendTestEvent('01990000-0000-7000-8000-00000000000c', {event: "Message.created"});
     */
    sendTestEvent(webhookId: string, body?: TestEventInput, options: RequestOptions = {}): Promise<Delivery> {
      return send<Delivery>({ method: 'POST', path: '/webhooks/:webhooks/test', names: [webhookId], body, accept: 'webhooks' }, options);
    },

    /**
     * Sends the dead deliveries of a time again, or the delivered ones, each with a new schedule of attempts.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns They are due now.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`, `missing_property`
     * @example
     * await server.replayDeliveries('01990000-0000-7000-8000-00000000000c', {from: "2026-11-20T00:00:00.000Z"});
     */
    replayDeliveries(webhookId: string, body: ReplayInput, options: RequestOptions = {}): Promise<ReplayCount> {
      return send<ReplayCount>({ method: 'POST', path: '/webhooks/:webhooks/deliveries/replay', names: [webhookId], body, accept: 'webhooks' }, options);
    },

    /**
     * Sends a delivery again, a delivered one too, with a new schedule of attempts.
     *
     * @param webhookId The webhook. Its URI or its bare UUID.
     * @param deliveryId The delivery.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.replayDelivery('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    replayDelivery(webhookId: string, deliveryId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/webhooks/:webhooks/deliveries/:deliveries/replay', names: [webhookId, deliveryId], accept: 'webhooks' }, options);
    },

    /**
     * Registers the public key with which later archives are encrypted, in place of the one before.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.registerExportKey({public_key: "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAykuIMO7mtpH21MY8YT+y\nIbWrkecipaAOy70/nN3zYGPypk+oSKU8dAlqcM8hNG2Rnc3RZR4s2vSW9hAcPnjo\n571JZ5svi9doCepohcfxsnpa4kY7JYgGKfjcEg/zGFvX24fQ694nU2K2+XWvkcOR\noNqGyeLFYqAPQWMEBB0i0/EySBrSWREm8lTmVinMDwkqz6RuNWPsSVXzWViFN/Jl\nyURehnkguT6zh6EekM3x9mYgOv7E581CcBFv0LAUzM7z4mfdfy5NgFDX4yp0xmbr\nsI+4Pom4soeYUrCauZPRQpeb/D6nKX5d6Y01gMl4lS5O1FpIMs3vZ2dSR+VoOKiH\n5wIDAQAB\n-----END PUBLIC KEY-----\n"});
     */
    registerExportKey(body: ExportKeyInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/export_security', body }, options);
    },

    /**
     * The registered public key.
     *
     * @param options See {@link RequestOptions}.
     * @returns The key.
     * @throws ParleyError `not_found`
     * @example
     * await server.getExportKey();
     */
    getExportKey(options: RequestOptions = {}): Promise<ExportKey> {
      return send<ExportKey>({ method: 'GET', path: '/export_security' }, options);
    },

    /**
     * Requests an archive of all conversations and messages as they are now. A key has to be registered, and one such export in 24 hours is possible. The archive is a gzipped tar file with the one file `export.json`, encrypted with AES-256-CBC: `encrypted_aes_key` holds the key, encrypted with the registered public key, and `aes_iv` the initialization vector.
     *
     * @param options See {@link RequestOptions}.
     * @returns The export will be made; its status is polled.
     * @throws ParleyError `not_found`, `conflict`, `invalid_operation`, `invalid_property`
     * @example
     * await server.requestExport();
     */
    requestExport(options: RequestOptions = {}): Promise<Export> {
      return send<Export>({ method: 'POST', path: '/exports' }, options);
    },

    /**
     * All exports that have not expired, newest first.
     *
     * @param options See {@link RequestOptions}.
     * @returns The exports.
     * @throws ParleyError `not_found`
     * @example
     * await server.listExports();
     */
    listExports(options: RequestOptions = {}): Promise<Export[]> {
      return send<Export[]>({ method: 'GET', path: '/exports' }, options);
    },

    /**
     * An export; when it is complete, with the address of its archive. The archive is a gzipped tar file with the one file `export.json`, encrypted with AES-256-CBC: `encrypted_aes_key` holds the key, encrypted with the registered public key, and `aes_iv` the initialization vector.
     *
     * @param exportId The export. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The export.
     * @throws ParleyError `not_found`
     * @example
     * await server.getExport('01990000-0000-7000-8000-00000000000c');
     */
    getExport(exportId: string, options: RequestOptions = {}): Promise<Export> {
      return send<Export>({ method: 'GET', path: '/exports/:exports/status', names: [exportId] }, options);
    },

    /**
     * Deletes an export and its archive, or cancels one that is running; another may be requested then.
     *
     * @param exportId The export. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.deleteExport('01990000-0000-7000-8000-00000000000c');
     */
    deleteExport(exportId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/exports/:exports', names: [exportId] }, options);
    },

    /**
     * Begins, changes or ends the daily exports of events. The first one has the events from now on. A key has to be registered.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`, `missing_property`
     * @example
     * await server.configureExportSchedule({interval: "daily",events: ["message.sent","message.deleted"],hour_utc: 3});
     */
    configureExportSchedule(body: ExportScheduleInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/export_schedule', body }, options);
    },

    /**
     * The schedule of exports; `disabled` when none was ever configured.
     *
     * @param options See {@link RequestOptions}.
     * @returns The schedule.
     * @throws ParleyError `not_found`
     * @example
     * await server.getExportSchedule();
     */
    getExportSchedule(options: RequestOptions = {}): Promise<ExportSettings> {
      return send<ExportSettings>({ method: 'GET', path: '/export_schedule' }, options);
    },
  };
}

/** The operations of the client API, in the name of a user. */
export function userOperations(send: Send, asUserId: string) {
  return {
    /**
     * Ends a session of the user, whose token is in the path. Its sockets are closed, and clients with the token are logged out.
     *
     * @param token The session token.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').deleteSession('01990000-0000-7000-8000-00000000000c');
     */
    deleteSession(token: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/sessions/*', names: [asUserId, token] }, options);
    },

    /**
     * The user's conversations, newest first. One that the user hid is missing until a new message brings it back.
     *
     * @param options `sortBy`: By the creation of the conversation, or by its last message. `pageSize`: Items a page, at most 100. `fromId`: The last of the conversations of the page before: its URI or bare id. `cursor`: Of the address in the `Link` with rel `next` of the page before, by last message; it comes before `from_id`. See {@link RequestOptions}.
     * @returns A page of conversations.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').listConversations();
     */
    listConversations(options: { sortBy?: 'created_at' | 'last_message'; pageSize?: number; fromId?: string; cursor?: string } & RequestOptions = {}): Promise<Conversation[]> {
      return send<Conversation[]>({ method: 'GET', path: '/users/:identities/conversations', names: [asUserId], query: { sort_by: options.sortBy, page_size: options.pageSize, from_id: options.fromId, cursor: options.cursor } }, options);
    },

    /**
     * Creates a conversation in which the user takes part. With `distinct` there is at most one conversation of the same participants. If there is one, it is the answer when `metadata` is left out or equal; otherwise the request fails with `conflict`. A distinct conversation that the user had hidden comes back without its old messages.
     *
     * @param body The body of the request.
     * @param options `ifNoneMatch`: The id of the new object, as a URI or a bare UUID, for bodies without an `id`. See {@link RequestOptions}.
     * @returns The distinct conversation of these participants, which there was already. The new conversation.
     * @throws ParleyError `invalid_request_id`, `not_found`, `conflict`, `id_in_use`, `invalid_property`, `missing_property`, `participant_blocked`
     * @example
     * await server.as('ada').createConversation({participants: ["ada","bob"],distinct: true,metadata: {topic: "engines"}});
     */
    createConversation(body: ConversationInput, options: { ifNoneMatch?: string } & RequestOptions = {}): Promise<Conversation> {
      return send<Conversation>({ method: 'POST', path: '/users/:identities/conversations', names: [asUserId], headers: { 'if-none-match': options.ifNoneMatch }, body }, options);
    },

    /**
     * A conversation of the user, also one from which they were removed.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The conversation.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getConversation('01990000-0000-7000-8000-00000000000c');
     */
    getConversation(conversationId: string, options: RequestOptions = {}): Promise<Conversation> {
      return send<Conversation>({ method: 'GET', path: '/users/:identities/conversations/:conversations', names: [asUserId, conversationId] }, options);
    },

    /**
     * Changes metadata and participants; every participant may. Adding a user who blocks the caller fails with `participant_blocked`. A removed participant gets `access_denied`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`, `participant_blocked`
     * @example
     * await server.as('ada').updateConversation('01990000-0000-7000-8000-00000000000c', [{operation: "set",property: "metadata.topic",value: "looms"},{operation: "add",property: "participants",id: "grace"}]);
     */
    updateConversation(conversationId: string, body: ConversationPatch, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/users/:identities/conversations/:conversations', names: [asUserId, conversationId], body }, options);
    },

    /**
     * Hides a conversation from the user, or deletes it for all participants, which only a participant may. A hidden conversation comes back with the next message, without the messages before. Deleting it once more succeeds.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `mode`: `my_devices` hides it from the user on all of their devices; `all_participants` deletes it for all participants. `leave`: Whether the user also leaves the conversation that they hide. See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').deleteConversation('01990000-0000-7000-8000-00000000000c');
     */
    deleteConversation(conversationId: string, options: { mode?: 'my_devices' | 'all_participants'; leave?: boolean } & RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/conversations/:conversations', names: [asUserId, conversationId], query: { mode: options.mode, leave: options.leave } }, options);
    },

    /**
     * Marks all messages up to a position as read: they do not count as unread any more, and their senders see that they were read. A read receipt is for one message alone.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The messages are marked.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.as('ada').markAllRead('01990000-0000-7000-8000-00000000000c', {position: 1});
     */
    markAllRead(conversationId: string, body?: MarkAllReadInput, options: RequestOptions = {}): Promise<MarkedRead> {
      return send<MarkedRead>({ method: 'POST', path: '/users/:identities/conversations/:conversations/mark_all_read', names: [asUserId, conversationId], body }, options);
    },

    /**
     * Marks all messages up to a position as delivered: their senders see that a device of the user has them. Those that are read stay read. One request takes the place of a delivery receipt for each message.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The messages are marked.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.as('ada').markAllDelivered('01990000-0000-7000-8000-00000000000c', {position: 1});
     */
    markAllDelivered(conversationId: string, body?: MarkAllDeliveredInput, options: RequestOptions = {}): Promise<MarkedDelivered> {
      return send<MarkedDelivered>({ method: 'POST', path: '/users/:identities/conversations/:conversations/mark_all_delivered', names: [asUserId, conversationId], body }, options);
    },

    /**
     * The rules of all types of conversations. The answer has an `ETag`; with `If-None-Match` it is 304 while nothing has changed.
     *
     * @param options See {@link RequestOptions}.
     * @returns All types, `default` first.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').listTypes();
     */
    listTypes(options: RequestOptions = {}): Promise<ConversationType[]> {
      return send<ConversationType[]>({ method: 'GET', path: '/users/:identities/types', names: [asUserId] }, options);
    },

    /**
     * The restrictions in force, the newest first. Users need the action `restrict`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the users of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of restrictions.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').listRestrictions('01990000-0000-7000-8000-00000000000c');
     */
    listRestrictions(conversationId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Restriction[]> {
      return send<Restriction[]>({ method: 'GET', path: '/users/:identities/conversations/:conversations/restrictions', names: [asUserId, conversationId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Restricts a user, in place of a restriction before. A mute keeps them from writing; a ban removes them, and nobody adds them again. Users need the action `restrict`, and restrict nobody of a higher role.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').putRestriction('01990000-0000-7000-8000-00000000000c', 'grace', {type: "mute",until: "2099-11-21T20:15:30.123Z",reason: "Off topic"});
     */
    putRestriction(conversationId: string, userId: string, body: RestrictionInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/conversations/:conversations/restrictions/:identities', names: [asUserId, conversationId, userId], body }, options);
    },

    /**
     * Ends a restriction. A user who was banned is not added again.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').deleteRestriction('01990000-0000-7000-8000-00000000000c', 'grace');
     */
    deleteRestriction(conversationId: string, userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/conversations/:conversations/restrictions/:identities', names: [asUserId, conversationId, userId] }, options);
    },

    /**
     * The identity of a user, with their presence.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns The identity.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getIdentity('grace');
     */
    getIdentity(userId: string, options: RequestOptions = {}): Promise<Identity> {
      return send<Identity>({ method: 'GET', path: '/users/:identities/identities/:identities', names: [asUserId, userId] }, options);
    },

    /**
     * Follows several users. It is done in the background; users who do not exist are skipped. A user that is not valid is refused with `data.property` = `user_ids`.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.as('ada').followUsers(["bob","svc:///identities/grace"]);
     */
    followUsers(body: string[], options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/following/users', names: [asUserId], body }, options);
    },

    /**
     * Whether a user follows another user.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @returns Whether it is so.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').isFollowing('grace');
     */
    isFollowing(userId: string, options: RequestOptions = {}): Promise<boolean> {
      return isFound(send<void>({ method: 'GET', path: '/users/:identities/following/users/:identities', names: [asUserId, userId] }, options));
    },

    /**
     * Follows a user: changes of the user's identity reach the follower's sockets from now on.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').followUser('grace');
     */
    followUser(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/following/users/:identities', names: [asUserId, userId] }, options);
    },

    /**
     * Unfollows a user. Joining a conversation with the user follows them again.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').unfollowUser('grace');
     */
    unfollowUser(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/following/users/:identities', names: [asUserId, userId] }, options);
    },

    /**
     * Chooses what the user appears as. Without a choice they are available while connected, and offline otherwise.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').choosePresence({status: "busy"});
     */
    choosePresence(body: PresenceInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/presence', names: [asUserId], body }, options);
    },

    /**
     * Blocks a user: they can neither begin a conversation with the one who blocks them nor add them to one, and their messages in shared conversations are not delivered.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`
     * @example
     * await server.as('ada').blockUser('grace');
     */
    blockUser(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/blocks/:identities', names: [asUserId, userId] }, options);
    },

    /**
     * Unblocks a user. Messages that were not delivered stay undelivered.
     *
     * @param userId The user, by the id that the application gave them. The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').unblockUser('grace');
     */
    unblockUser(userId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/blocks/:identities', names: [asUserId, userId] }, options);
    },

    /**
     * Finds users by the beginning of a word of the display name, or of the user id, if the application's setting `user_directory` allows it; else 403 with `data.reason` = `user_directory`. Users who are suspended and those who block the caller are left out: so it can tell the caller of a block. At most 10 requests a second of a session.
     *
     * @param options `q`: A word of the display name, or the user id, begins with this text, without case and accents. 1 to 64 characters, of which letters, digits and signs such as emoji count. `pageSize`: Users to find, at most 20. See {@link RequestOptions}.
     * @returns The users, in the order of the words that begin with the text. There is no further page.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').findUsers({ q: "ada" });
     */
    findUsers(options: { q: string; pageSize?: number } & RequestOptions): Promise<BasicIdentity[]> {
      return send<BasicIdentity[]>({ method: 'GET', path: '/users/:identities/users', names: [asUserId], query: { q: options.q, page_size: options.pageSize } }, options);
    },

    /**
     * Registers the device for pushes, until the session is logged out. A device that registers again replaces its token. A token that another device of another user registered is refused, unless the keys of its subscription are the same.
     *
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_operation`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').registerPushToken({token: "740f4707bebcf74f",type: "apns",device_id: "phone-1",bundle_id: "com.example.chat"});
     */
    registerPushToken(body: PushTokenInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/push_tokens', names: [asUserId], body }, options);
    },

    /**
     * Returns the key with which browsers subscribe to the pushes of the application. It stays the same for good.
     *
     * @param options See {@link RequestOptions}.
     * @returns The key.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getPushKey();
     */
    getPushKey(options: RequestOptions = {}): Promise<PushKey> {
      return send<PushKey>({ method: 'GET', path: '/users/:identities/push_key', names: [asUserId] }, options);
    },

    /**
     * Ends pushes to the device. A device that is not registered is fine.
     *
     * @param deviceId The device, by the id that it was registered with.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').deletePushToken('01990000-0000-7000-8000-00000000000c');
     */
    deletePushToken(deviceId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/push_tokens/*', names: [asUserId, deviceId] }, options);
    },

    /**
     * The announcements that the user got and did not delete, newest first.
     *
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the announcements of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of announcements.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').listAnnouncements();
     */
    listAnnouncements(options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Announcement[]> {
      return send<Announcement[]>({ method: 'GET', path: '/users/:identities/announcements', names: [asUserId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * An announcement that the user got.
     *
     * @param announcementId The announcement. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The announcement.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getAnnouncement('01990000-0000-7000-8000-00000000000c');
     */
    getAnnouncement(announcementId: string, options: RequestOptions = {}): Promise<Announcement> {
      return send<Announcement>({ method: 'GET', path: '/users/:identities/announcements/:announcements', names: [asUserId, announcementId] }, options);
    },

    /**
     * Deletes an announcement for the user alone, on all of their devices.
     *
     * @param announcementId The announcement. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').deleteAnnouncement('01990000-0000-7000-8000-00000000000c');
     */
    deleteAnnouncement(announcementId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/announcements/:announcements', names: [asUserId, announcementId] }, options);
    },

    /**
     * Says that an announcement was delivered or read. A repeat changes nothing.
     *
     * @param announcementId The announcement. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').recordAnnouncementReceipt('01990000-0000-7000-8000-00000000000c', {type: "read"});
     */
    recordAnnouncementReceipt(announcementId: string, body: ReceiptInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/announcements/:announcements/receipts', names: [asUserId, announcementId], body }, options);
    },

    /**
     * The messages of a conversation that the reader sees, newest first.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param options `pageSize`: Items a page, at most 100. `fromId`: The last of the messages of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of messages.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').listMessages('01990000-0000-7000-8000-00000000000c');
     */
    listMessages(conversationId: string, options: { pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Message[]> {
      return send<Message[]>({ method: 'GET', path: '/users/:identities/conversations/:conversations/messages', names: [asUserId, conversationId], query: { page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Sends a message to the participants. An `id` that the client makes lets it repeat a request whose answer got lost: the message exists once, and the repeat fails with `id_in_use`, which shows it. A removed participant gets `access_denied`.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options `ifNoneMatch`: The id of the new object, as a URI or a bare UUID, for bodies without an `id`. See {@link RequestOptions}.
     * @returns The message, which is stored.
     * @throws ParleyError `invalid_request_id`, `not_found`, `conflict`, `id_in_use`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').sendMessage('01990000-0000-7000-8000-00000000000c', {id: "01990000-0000-7000-8000-00000000000d",parts: [{mime_type: "text/plain",body: "Hello, Bob!"}],notification: {title: "Ada Lovelace",text: "Hello, Bob!",sound: "chime.aiff"}});
     */
    sendMessage(conversationId: string, body: MessageInput, options: { ifNoneMatch?: string } & RequestOptions = {}): Promise<Message> {
      return send<Message>({ method: 'POST', path: '/users/:identities/conversations/:conversations/messages', names: [asUserId, conversationId], headers: { 'if-none-match': options.ifNoneMatch }, body }, options);
    },

    /**
     * A message that the user sees.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The message.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getMessage('01990000-0000-7000-8000-00000000000c');
     */
    getMessage(messageId: string, options: RequestOptions = {}): Promise<Message> {
      return send<Message>({ method: 'GET', path: '/users/:identities/messages/:messages', names: [asUserId, messageId] }, options);
    },

    /**
     * Changes the metadata of a message; only its sender may. It sets no `updated_at`, since metadata are for programs.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').updateMessage('01990000-0000-7000-8000-00000000000c', [{operation: "set",property: "metadata.order.state",value: "shipped"}]);
     */
    updateMessage(messageId: string, body: MessagePatch, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PATCH', path: '/users/:identities/messages/:messages', names: [asUserId, messageId], body }, options);
    },

    /**
     * Hides a message from the user, or deletes it for all participants, which only a participant may. Neither can be undone. Hiding an unread message lowers the unread count. Deleting it once more succeeds for the user who deleted it.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param options `mode`: `my_devices` hides it from the user on all of their devices; `all_participants` deletes it for all participants. See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').deleteMessage('01990000-0000-7000-8000-00000000000c');
     */
    deleteMessage(messageId: string, options: { mode?: 'my_devices' | 'all_participants' } & RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/messages/:messages', names: [asUserId, messageId], query: { mode: options.mode } }, options);
    },

    /**
     * States that the user received or read a message. The sender sees it in `recipient_status`; a read message does not count as unread any more. A receipt may be sent again, and one for an own message has no effect.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `conflict`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').sendReceipt('01990000-0000-7000-8000-00000000000c', {type: "read"});
     */
    sendReceipt(messageId: string, body: ReceiptInput, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'POST', path: '/users/:identities/messages/:messages/receipts', names: [asUserId, messageId], body }, options);
    },

    /**
     * All parts of a message.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').listParts('01990000-0000-7000-8000-00000000000c');
     */
    listParts(messageId: string, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'GET', path: '/users/:identities/messages/:messages/parts', names: [asUserId, messageId] }, options);
    },

    /**
     * Adds a part behind the last one. The sender of a message may change its parts, and so may servers.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The new part.
     * @throws ParleyError `permission_denied`, `not_found`, `conflict`, `id_in_use`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').addPart('01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    addPart(messageId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'POST', path: '/users/:identities/messages/:messages/parts', names: [asUserId, messageId], body }, options);
    },

    /**
     * Replaces all parts. A part whose `id` the message has already is updated; the others are added. The sender of a message may change its parts, and so may servers.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').replaceParts('01990000-0000-7000-8000-00000000000c', [{mime_type: "text/plain",body: "Hello, Bob!"}]);
     */
    replaceParts(messageId: string, body: PartsInput, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'PUT', path: '/users/:identities/messages/:messages/parts', names: [asUserId, messageId], body }, options);
    },

    /**
     * One part of a message.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getPart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getPart(messageId: string, partId: string, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'GET', path: '/users/:identities/messages/:messages/parts/:parts', names: [asUserId, messageId, partId] }, options);
    },

    /**
     * Replaces a part, which keeps its id and its place. The sender of a message may change its parts, and so may servers.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').updatePart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    updatePart(messageId: string, partId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'PUT', path: '/users/:identities/messages/:messages/parts/:parts', names: [asUserId, messageId, partId], body }, options);
    },

    /**
     * Removes a part. The last one stays: `invalid_operation`. The sender of a message may change its parts, and so may servers.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_operation`
     * @example
     * await server.as('ada').removePart('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    removePart(messageId: string, partId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/messages/:messages/parts/:parts', names: [asUserId, messageId, partId] }, options);
    },

    /**
     * All parts of a message.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').listPartsInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    listPartsInConversation(conversationId: string, messageId: string, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'GET', path: '/users/:identities/conversations/:conversations/messages/:messages/parts', names: [asUserId, conversationId, messageId] }, options);
    },

    /**
     * Adds a part behind the last one. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The new part.
     * @throws ParleyError `permission_denied`, `not_found`, `conflict`, `id_in_use`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').addPartInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    addPartInConversation(conversationId: string, messageId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'POST', path: '/users/:identities/conversations/:conversations/messages/:messages/parts', names: [asUserId, conversationId, messageId], body }, options);
    },

    /**
     * Replaces all parts. A part whose `id` the message has already is updated; the others are added. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The parts in their order.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').replacePartsInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', [{mime_type: "text/plain",body: "Hello, Bob!"}]);
     */
    replacePartsInConversation(conversationId: string, messageId: string, body: PartsInput, options: RequestOptions = {}): Promise<MessagePart[]> {
      return send<MessagePart[]>({ method: 'PUT', path: '/users/:identities/conversations/:conversations/messages/:messages/parts', names: [asUserId, conversationId, messageId], body }, options);
    },

    /**
     * One part of a message.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `not_found`
     * @example
     * await server.as('ada').getPartInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    getPartInConversation(conversationId: string, messageId: string, partId: string, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'GET', path: '/users/:identities/conversations/:conversations/messages/:messages/parts/:parts', names: [asUserId, conversationId, messageId, partId] }, options);
    },

    /**
     * Replaces a part, which keeps its id and its place. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param body The body of the request.
     * @param options See {@link RequestOptions}.
     * @returns The part.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_property`, `missing_property`
     * @example
     * await server.as('ada').updatePartInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', {mime_type: "text/plain",body: "Hello, Bob!"});
     */
    updatePartInConversation(conversationId: string, messageId: string, partId: string, body: PartInput, options: RequestOptions = {}): Promise<MessagePart> {
      return send<MessagePart>({ method: 'PUT', path: '/users/:identities/conversations/:conversations/messages/:messages/parts/:parts', names: [asUserId, conversationId, messageId, partId], body }, options);
    },

    /**
     * Removes a part. The last one stays: `invalid_operation`. The sender of a message may change its parts, and so may servers.
     *
     * @param conversationId The conversation. The URI or the bare UUID.
     * @param messageId The message. The URI or the bare UUID.
     * @param partId The part. Its URI or its bare UUID.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `permission_denied`, `not_found`, `invalid_operation`
     * @example
     * await server.as('ada').removePartInConversation('01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c', '01990000-0000-7000-8000-00000000000c');
     */
    removePartInConversation(conversationId: string, messageId: string, partId: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/conversations/:conversations/messages/:messages/parts/:parts', names: [asUserId, conversationId, messageId, partId] }, options);
    },

    /**
     * Reacts to a message with an emoji or a short name, the key, percent-encoded. A repeat changes nothing. A message has at most 50 different keys, of one user at most 10.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param key An emoji or a short name: 1 to 64 bytes of UTF-8 in NFC, without control and bidirectional characters, `/` and `\`, and not `.`, `..` or `__proto__`. Percent-encoded.
     * @param body The body of the request.
     * @param options `replace`: Whether the user’s reactions with other keys are taken back in the same change. See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_operation`, `invalid_property`
     * @example
     * await server.as('ada').react('01990000-0000-7000-8000-00000000000c', '👍', {notification: {title: "Bob",text: "👍 to: Hello, Bob!"}});
     */
    react(messageId: string, key: string, body?: ReactionInput, options: { replace?: boolean } & RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'PUT', path: '/users/:identities/messages/:messages/reactions/*', names: [asUserId, messageId, key], query: { replace: options.replace }, body }, options);
    },

    /**
     * Takes a reaction of the user back. A repeat changes nothing.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param key An emoji or a short name: 1 to 64 bytes of UTF-8 in NFC, without control and bidirectional characters, `/` and `\`, and not `.`, `..` or `__proto__`. Percent-encoded.
     * @param options See {@link RequestOptions}.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').unreact('01990000-0000-7000-8000-00000000000c', '👍');
     */
    unreact(messageId: string, key: string, options: RequestOptions = {}): Promise<void> {
      return send<void>({ method: 'DELETE', path: '/users/:identities/messages/:messages/reactions/*', names: [asUserId, messageId, key] }, options);
    },

    /**
     * Who reacted to a message, newest first, without users whom the reader blocks. The counts that the message shows include them.
     *
     * @param messageId The message. The URI or the bare UUID.
     * @param options `key`: An emoji or a short name: 1 to 64 bytes of UTF-8 in NFC, without control and bidirectional characters, `/` and `\`, and not `.`, `..` or `__proto__`. Only reactions with it. `pageSize`: Items a page, at most 100. `fromId`: The last of the reactions of the page before: its URI or bare id. See {@link RequestOptions}.
     * @returns A page of reactions; a page shorter than asked is the last one.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').listReactions('01990000-0000-7000-8000-00000000000c');
     */
    listReactions(messageId: string, options: { key?: string; pageSize?: number; fromId?: string } & RequestOptions = {}): Promise<Reaction[]> {
      return send<Reaction[]>({ method: 'GET', path: '/users/:identities/messages/:messages/reactions', names: [asUserId, messageId], query: { key: options.key, page_size: options.pageSize, from_id: options.fromId } }, options);
    },

    /**
     * Asks for an address for the upload of rich content, which is data too large for the body of a part. Once the upload is complete, a part of a message refers to it by `content.id`.
     *
     * @param upload Media type and exact size of the bytes that will be uploaded.
     * @param options `uploadOrigin`: Origin of the web page that will send the upload. `uploadContentFilename`: Name under which a download is saved unless a part gives another one: percent-encoded UTF-8, by the rules of `filename` of a part. See {@link RequestOptions}.
     * @returns The content, to be uploaded to `upload_url` within seven days.
     * @throws ParleyError `quota_exceeded`, `not_found`, `conflict`, `invalid_property`
     * @example
     * await server.as('ada').createContent({ uploadContentType: 'image/jpeg', uploadContentLength: 481516 });
     */
    createContent(upload: { uploadContentType: string; uploadContentLength: number }, options: { uploadOrigin?: string; uploadContentFilename?: string } & RequestOptions = {}): Promise<Content> {
      return send<Content>({ method: 'POST', path: '/users/:identities/content', names: [asUserId], headers: { 'upload-content-type': String(upload.uploadContentType), 'upload-content-length': String(upload.uploadContentLength), 'upload-origin': options.uploadOrigin, 'upload-content-filename': options.uploadContentFilename } }, options);
    },

    /**
     * A new download address, which works until `expiration`. Content that was not uploaded is `not_found`. The uploader and the users who see a message with it may ask for one.
     *
     * @param contentId The content. The URI or the bare UUID.
     * @param options `filename`: Name under which the download is saved, as the `refresh_url` of a part has it; otherwise that of the upload. See {@link RequestOptions}.
     * @returns The content.
     * @throws ParleyError `not_found`, `invalid_property`
     * @example
     * await server.as('ada').getContent('01990000-0000-7000-8000-00000000000c');
     */
    getContent(contentId: string, options: { filename?: string } & RequestOptions = {}): Promise<Content> {
      return send<Content>({ method: 'GET', path: '/users/:identities/content/:content', names: [asUserId, contentId], query: { filename: options.filename } }, options);
    },
  };
}
