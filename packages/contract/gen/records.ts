// Every public record as a plain type, made from the schemas of packages/contract/src by
// `UPDATE_DOCS=1 npm test -- scripts/contract`.

/** The user does not take part in this conversation. */
export type AccessDeniedError = {
    /** The kind of error; programs decide by it. */
    id: "access_denied";
    /** The number that stands for `id`. */
    code: 101;
    /**
     * For people; its wording may change.
     * For example: `The user does not take part in this conversation.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
        /**
         * The rule or setting that forbids the action.
         * For example: `role`
         */
        reason?: string;
        /**
         * The action that was needed.
         * For example: `send`
         */
        action?: string;
        until?: string | null;
    } | null;
};

/** A message of a server to many users, outside conversations. */
export type Announcement = {
    /** URI of the announcement. */
    id: string;
    /** Where a recipient reads the announcement. */
    url: string;
    /**
     * ISO 8601.
     * When the announcement was sent.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    sent_at: string;
    /** To whom it was sent. Of more than 100 recipients each reader sees only themselves. */
    recipients: string[];
    sender: BasicIdentity | null;
    parts: AnnouncementPart[];
    receipts_url: string | null;
    position: number | null;
    is_unread: boolean | null;
    recipient_status: {
        [key: string]: RecipientStatus;
    } | null;
    notification?: Notification;
};

/** An announcement to send. */
export type AnnouncementInput = {
    id?: string | null;
    /** To whom to send. Users who do not exist are skipped; one at least has to exist. */
    recipients: string[];
    /**
     * Who sends. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    sender_id: string;
    parts: PartInput[];
    notification?: NotificationInput | null;
};

/** One piece of an announcement: a media type with an inline body, or with a content. */
export type AnnouncementPart = {
    /**
     * URI of the part.
     * For example: `svc:///announcements/01990000-0000-7000-8000-000000000010/parts/01990000-0000-7000-8000-00000000000e`
     */
    id: string;
    /** Where the part is read. */
    url: string;
    /** Where the announcement is read. */
    message_url: string;
    /**
     * As the sender gave it.
     * For example: `text/plain`
     */
    mime_type: string;
    body: string | null;
    encoding: string | null;
    content: Content | null;
    updated_at: string | null;
    /**
     * Name under which a download of `content` is saved, as the sender gave it; absent without one.
     * For example: `report.pdf`
     */
    filename?: string;
};

/** One changed setting of the app. */
export type AppSettingStep = {
    /** Gives the setting a value. */
    operation: "set";
    /** How long new sessions last. */
    property: "session_ttl_in_seconds";
    /** Seconds, by default 2592000. */
    value: number;
} | {
    /** Gives the setting a value. */
    operation: "set";
    /** The largest inline body of a message part. */
    property: "inline_body_bytes";
    /** Bytes of UTF-8, by default 2048. */
    value: number;
} | {
    /** Gives the setting a value. */
    operation: "set";
    /** Whom users find by `GET /users`. */
    property: "user_directory";
    /** Whom `GET /users` finds: `everyone`, the users with whom the caller shares a conversation (`shared`), or `nobody`, the default. */
    value: "everyone" | "shared" | "nobody";
} | {
    /** Gives the setting a value. */
    operation: "set";
    /** The fields that users read in the identities of other users. */
    property: "public_identity_fields";
    /** Each name at most once; by default none. Replaces the list. */
    value: ("phone_number" | "email_address")[];
};

/** The app is suspended. */
export type AppSuspendedError = {
    /** The kind of error; programs decide by it. */
    id: "app_suspended";
    /** The number that stands for `id`. */
    code: 5;
    /**
     * For people; its wording may change.
     * For example: `The app is suspended.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** A valid token is required. */
export type AuthenticationRequiredError = {
    /** The kind of error; programs decide by it. */
    id: "authentication_required";
    /** The number that stands for `id`. */
    code: 4;
    /**
     * For people; its wording may change.
     * For example: `A valid token is required.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The schemes of Authorization of which one is expected.
         * For example: `[`
         * "Bearer"
         * ]
         */
        schemes?: string[];
    } | null;
};

/** A valid token is required. */
export type AuthenticationRequiredErrorWithNonce = {
    /** The kind of error; programs decide by it. */
    id: "authentication_required";
    /** The number that stands for `id`. */
    code: 4;
    /**
     * For people; its wording may change.
     * For example: `A valid token is required.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    /** What a client needs to log in at once. */
    data: {
        /**
         * The schemes of Authorization of which one is expected.
         * For example: `[`
         * "Bearer"
         * ]
         */
        schemes?: string[];
        nonce: string | null;
    };
};

/** The numbers that make a user's badge. */
export type Badge = {
    /** Unread things outside the platform, which the application counts; part of a device's badge. */
    external_unread_count: number;
    /** Conversations with unread messages. */
    unread_conversation_count: number;
    /** Unread messages in all conversations. */
    unread_message_count: number;
};

/** The external count of a badge. */
export type BadgeInput = {
    /** Unread things outside the platform, which the application counts; part of a device's badge. */
    external_unread_count: number;
};

/** A part with bytes. */
export type Base64PartInput = {
    id?: string | null;
    /**
     * Media type; kept as it is, with its parameters.
     * For example: `text/plain`
     */
    mime_type: string;
    /** At most `inline_body_bytes` of the app, by default 2048 bytes of UTF-8. */
    body: string;
    encoding: "base64";
    content?: null;
    filename?: null;
};

/** Who a user is, as far as other records show it. */
export type BasicIdentity = {
    /**
     * URI of the identity.
     * For example: `svc:///identities/ada`
     */
    id: string;
    /** Where the identity is read. */
    url: string;
    /**
     * The id that the application gave the user.
     * For example: `ada`
     */
    user_id: string;
    display_name: string | null;
    avatar_url: string | null;
};

/** One change of the users whom a user blocks. `id` wins over `value`. */
export type BlockStep = {
    /** Blocks or unblocks one user. */
    operation: "add" | "remove";
    /** The users whom the user blocks. */
    property: "blocks";
    /**
     * The user to block or unblock. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    id: string;
} | {
    /** Blocks or unblocks one user. */
    operation: "add" | "remove";
    /** The users whom the user blocks. */
    property: "blocks";
    /**
     * The user to block or unblock. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    value: string;
    id?: null;
} | {
    /** Blocks these users and no others. */
    operation: "set";
    /** The users whom the user blocks. */
    property: "blocks";
    /** All users to block; may be empty. */
    value: string[];
};

/** Adds or removes one participant; the key `value` is taken for `id` too. Removing oneself is leaving. The conversation is not distinct any more. */
export type ChangeParticipant = {
    operation: "add" | "remove";
    property: "participants";
    /**
     * The user who is added or removed. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    id: string;
    history?: ("all" | "none") | null;
};

/** The object conflicts with one that exists. */
export type ConflictError = {
    /** The kind of error; programs decide by it. */
    id: "conflict";
    /** The number that stands for `id`. */
    code: 108;
    /**
     * For people; its wording may change.
     * For example: `The object conflicts with one that exists.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
        /** Seconds after which another attempt may succeed; also in `Retry-After`. */
        retry_after_seconds?: number;
    } | null;
};

/** A blob in object storage, too large to stand in a part. */
export type Content = {
    /** URI of the content. */
    id: string;
    /** Bytes of the upload. */
    size: number;
    download_url: string | null;
    expiration: string | null;
    /** Where a new `download_url` is asked for. */
    refresh_url: string;
    upload_url: string | null;
};

/** A part with a content, whose upload is complete. */
export type ContentPartInput = {
    id?: string | null;
    /**
     * Media type; kept as it is, with its parameters.
     * For example: `text/plain`
     */
    mime_type: string;
    body?: null;
    content: {
        /** An uploaded content. The URI or the bare UUID. */
        id: string;
        size?: number | null;
    };
    filename?: string | null;
};

/** A conversation as its reader sees it. */
export type Conversation = {
    /** URI of the conversation. */
    id: string;
    /** Where the conversation is read. */
    url: string;
    /** Where messages are listed and sent. */
    messages_url: string;
    /**
     * ISO 8601.
     * When the conversation was created.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    /** In any order. Empty for a user who was removed; they keep what was before, read-only. */
    participants: BasicIdentity[];
    /** Whether it is the one conversation of these participants. */
    distinct: boolean;
    metadata: Metadata;
    /** The name of its type; left out for `default`. */
    type?: string;
    /** Roles of participants by the URI of their identity. Who is missing is a member. */
    roles?: {
        [key: string]: "owner" | "moderator" | "member" | "observer";
    };
    frozen?: Frozen;
    /** The least time between two messages of a participant; left out: as the type says. */
    slow_mode_in_seconds?: number;
    restriction?: OwnRestriction;
    /** What the user may do at the moment, in answers about one conversation whose type is not the unchanged `default`. */
    permissions?: ("send" | "reply_in_thread" | "react" | "edit_own" | "delete_own" | "delete_any" | "delete_conversation" | "add_participants" | "remove_participants" | "patch_metadata" | "pin" | "mention_everyone" | "notify" | "schedule" | "signal" | "freeze" | "restrict" | "send_when_frozen" | "skip_slow_mode" | "set_visibility" | "cancel_streams" | "invite" | "set_roles" | "edit_any" | "set_retention" | "stream")[];
    /** The newest message that the reader sees; null without one and for servers. */
    last_message: Message | null;
    unread_message_count: number | null;
    total_message_count: number | null;
};

/** A conversation was created. Its first participants and metadata have no notices of their own. */
export type ConversationCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Conversation.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    conversation: Conversation;
};

/** A conversation was deleted for all participants. `conversation` is the conversation before. */
export type ConversationDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Conversation.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    conversation: Conversation;
};

/** A conversation to create. */
export type ConversationInput = {
    /** A user who creates the conversation takes part without being named; at most 250 with them, unless the platform is set up otherwise. A server names at least one. */
    participants: string[];
    distinct?: boolean | null;
    metadata?: Metadata | null;
    type?: string | null;
    roles?: {
        [key: string]: "owner" | "moderator" | "member" | "observer";
    } | null;
    id?: string | null;
};

/** Operations that are applied in order, all of them or none. The metadata keep within their limits after each; what all operations name and set of it has at most 65536 bytes. */
export type ConversationPatch = (SetMetadata | SetMetadataKey | DeleteMetadata | DeleteMetadataKey | ChangeParticipant | SetParticipants | SetRole | DeleteRole | SetFrozen | SetSlowMode | ShowHistory)[];

/** Names one of the conversations without showing it. */
export type ConversationReference = {
    /** URI of the record. */
    id: string;
    /** Where the record is read. */
    url: string;
};

/** The rules of a kind of conversation. */
export type ConversationType = {
    /** The name of the type. */
    name: string;
    /** What the roles may do. */
    actions: {
        /** The roles that may do it. */
        send: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        reply_in_thread: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        react: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        edit_own: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_own: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_any: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_conversation: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        add_participants: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        remove_participants: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        patch_metadata: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        pin: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        mention_everyone: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        notify: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        schedule: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        signal: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        freeze: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        restrict: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        send_when_frozen: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        skip_slow_mode: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_visibility: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        cancel_streams: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        invite: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_roles: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        edit_any: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_retention: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        stream: ("owner" | "moderator" | "member" | "observer")[];
    };
    /** What there is in conversations of the type. */
    features: {
        /** False switches it off. */
        typing: boolean;
        /** False switches it off. */
        receipts: boolean;
        /** False switches it off. */
        reactions: boolean;
        /** False switches it off. */
        threads: boolean;
        /** False switches it off. */
        search: boolean;
        /** False switches it off. */
        push: boolean;
    };
    /** Who creates conversations of the type. */
    create: "users" | "servers";
    /** A role of participants. */
    creator_role: "owner" | "moderator" | "member" | "observer";
    /** What who is added sees of the time before. */
    newcomer_history: "all" | "none";
    max_participants: number | null;
    /** The least time between two messages of a participant; 0: none. */
    slow_mode_in_seconds: number;
    message_retention_in_seconds: number | null;
    edit_window_in_seconds: number | null;
    delete_window_in_seconds: number | null;
    /** Who reads earlier versions of messages. */
    edit_history: "none" | "servers" | "participants";
    /** Of which messages pushes are made. */
    push_level: "all" | "mentions" | "none";
    /** Kept for rooms that are watched. */
    live: false;
};

/** Rules of a type; what is left out is the default. */
export type ConversationTypeInput = {
    actions?: {
        /** The roles that may do it. */
        send?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        reply_in_thread?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        react?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        edit_own?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_own?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_any?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        delete_conversation?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        add_participants?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        remove_participants?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        patch_metadata?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        pin?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        mention_everyone?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        notify?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        schedule?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        signal?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        freeze?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        restrict?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        send_when_frozen?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        skip_slow_mode?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_visibility?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        cancel_streams?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        invite?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_roles?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        edit_any?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        set_retention?: ("owner" | "moderator" | "member" | "observer")[];
        /** The roles that may do it. */
        stream?: ("owner" | "moderator" | "member" | "observer")[];
    } | null;
    features?: {
        /** False switches it off. */
        typing?: boolean;
        /** False switches it off. */
        receipts?: boolean;
        /** False switches it off. */
        reactions?: boolean;
        /** False switches it off. */
        threads?: boolean;
        /** False switches it off. */
        search?: boolean;
        /** False switches it off. */
        push?: boolean;
    } | null;
    create?: ("users" | "servers") | null;
    creator_role?: ("owner" | "moderator" | "member" | "observer") | null;
    newcomer_history?: ("all" | "none") | null;
    max_participants?: number | null;
    slow_mode_in_seconds?: number | null;
    edit_window_in_seconds?: number | null;
    delete_window_in_seconds?: number | null;
    edit_history?: ("none" | "servers" | "participants") | null;
    push_level?: ("all" | "mentions" | "none") | null;
    live?: false | null;
};

/** The metadata of a conversation changed, whether it is frozen, or its slow mode. `conversation` is the conversation afterwards. */
export type ConversationUpdatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Conversation.updated";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    conversation: Conversation;
};

/** Deletes all metadata. */
export type DeleteMetadata = {
    operation: "delete";
    property: "metadata";
};

/** Deletes a key of the metadata, if it is there. */
export type DeleteMetadataKey = {
    operation: "delete";
    /**
     * A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\.`.
     * For example: `metadata.topic`
     */
    property: string;
};

/** Makes a participant a member. */
export type DeleteRole = {
    /** Takes a role away. */
    operation: "delete";
    /**
     * `roles.` and the user id or the URI of the identity. A dot within the user id is written `\.`.
     * For example: `roles.bob`
     */
    property: string;
};

/** A part that is gone. */
export type DeletedMessagePart = {
    /**
     * URI of the part.
     * For example: `svc:///messages/01990000-0000-7000-8000-00000000000d/parts/01990000-0000-7000-8000-00000000000e`
     */
    id: string;
    /** Where the part was read. */
    url: string;
    /** Where the message is read. */
    message_url: string;
};

/** One event for one webhook. */
export type Delivery = {
    /**
     * Bare UUID; the target gets it in each attempt.
     * For example: `01990000-0000-7000-8000-000000000012`
     */
    id: string;
    /** Where the delivery is read. */
    url: string;
    /** To which webhook. */
    webhook: {
        /**
         * URI of the webhook.
         * For example: `svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011`
         */
        id: string;
        /** Where the webhook is read. */
        url: string;
    };
    /** What the target is notified of. */
    event: {
        /**
         * Id of the event; the same for all webhooks.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        type: WebhookEventName;
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    status: DeliveryStatus;
    /** Attempts so far. */
    attempt_count: number;
    /**
     * ISO 8601.
     * When the delivery was stored.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    next_attempt_at: string | null;
    settled_at: string | null;
};

/** One attempt to deliver. */
export type DeliveryAttempt = {
    /**
     * ISO 8601.
     * When the attempt ended.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    at: string;
    /** Milliseconds that the target took. */
    duration_ms: number;
    response_status: number | null;
    response_body: string | null;
    error: string | null;
};

/** A dead delivery has used up its attempts; it is kept for 30 days. */
export type DeliveryStatus = "pending" | "delivered" | "dead";

/** A delivery, the results of its attempts, and what it sends. */
export type DeliveryWithAttempts = {
    /**
     * Bare UUID; the target gets it in each attempt.
     * For example: `01990000-0000-7000-8000-000000000012`
     */
    id: string;
    /** Where the delivery is read. */
    url: string;
    /** To which webhook. */
    webhook: {
        /**
         * URI of the webhook.
         * For example: `svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011`
         */
        id: string;
        /** Where the webhook is read. */
        url: string;
    };
    /** What the target is notified of. */
    event: {
        /**
         * Id of the event; the same for all webhooks.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        type: WebhookEventName;
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    status: DeliveryStatus;
    /** Attempts so far. */
    attempt_count: number;
    /**
     * ISO 8601.
     * When the delivery was stored.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    next_attempt_at: string | null;
    settled_at: string | null;
    /** Oldest first. */
    attempts: DeliveryAttempt[];
    body: {
        [key: string]: unknown;
    } | null;
};

/** An archive, or the work that makes it. Everything that is not known yet is null. */
export type Export = {
    /**
     * A bare UUID; the URI in the answer to the request.
     * For example: `01990000-0000-7000-8000-000000000013`
     */
    id: string;
    /** Everything that is stored, or the events of a day. */
    type: "historical" | "scheduled";
    /** A run that fails goes back to `pending` and is repeated. */
    status: "pending" | "executing" | "completed";
    status_reason: string | null;
    public_key: string | null;
    key_padding: ("pkcs1" | "oaep-sha256") | null;
    /**
     * ISO 8601.
     * When the export was requested, or was due.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    expired_at: string | null;
    download_url: string | null;
    download_url_expires_at: string | null;
    download_url_expiration: string | null;
    encrypted_aes_key: string | null;
    aes_iv: string | null;
    archive_sha256: string | null;
    archive_size: number | null;
    /** Where the status is read. */
    status_url: string;
};

/** Something that happened. */
export type ExportEvent = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "message.sent" | "message.updated" | "message.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    message: Message;
} | {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "reaction.created" | "reaction.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    reaction: Reaction;
    message: MessageReference;
    conversation: ConversationReference;
} | {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "message.delivered" | "message.read";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    message: MessageReference;
    conversation: ConversationReference;
} | {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "conversation.created" | "conversation.updated.participants" | "conversation.updated.metadata" | "conversation.updated.roles" | "conversation.updated.settings" | "conversation.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    conversation: Conversation;
} | {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "restriction.created" | "restriction.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    restriction: Restriction;
    /** Where it holds; null: in the whole application. */
    conversation: ConversationReference | null;
} | {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "push.delivered" | "push.failed";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    push: SettledPush;
    /** The message; null for a push without one. */
    message: MessageReference | null;
    /** The conversation of the message. */
    conversation: ConversationReference | null;
};

/** What happened, in the words of exports. */
export type ExportEventName = "message.sent" | "message.delivered" | "message.read" | "message.deleted" | "conversation.created" | "conversation.updated.participants" | "conversation.updated.metadata" | "conversation.deleted" | "push.delivered" | "push.failed" | "conversation.updated.roles" | "conversation.updated.settings" | "restriction.created" | "restriction.deleted" | "message.updated" | "reaction.created" | "reaction.deleted";

/** The key with which archives are encrypted. */
export type ExportKey = {
    /** PEM of an RSA public key of 2048 to 16384 bits. */
    public_key: string;
};

/** The key with which later archives are encrypted. */
export type ExportKeyInput = {
    /** PEM of an RSA public key of 2048 to 16384 bits. */
    public_key: string;
    padding?: ("pkcs1" | "oaep-sha256") | null;
};

/** When events are exported, and which. */
export type ExportScheduleInput = {
    /** `disabled` ends the schedule; what was not exported by then never is. */
    interval: "daily" | "disabled";
    events?: ExportEventName[] | null;
    hour_utc?: number | null;
};

/** The schedule of exports. */
export type ExportSettings = {
    /** How often events are exported. */
    interval: "daily" | "disabled";
    last_export_at: string | null;
    last_export_id: string | null;
    next_export_at: string | null;
};

/** Only roles that may `send_when_frozen` write. */
export type Frozen = {
    /**
     * ISO 8601.
     * Since when.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    at: string;
    by: string | null;
};

/** The file `export.json` of a historical export. */
export type HistoricalArchive = {
    /** All that were not deleted. */
    conversations: Conversation[];
    /** All that were not deleted, conversation by conversation. */
    messages: Message[];
};

/** The public record of a user. */
export type Identity = {
    /**
     * URI of the identity.
     * For example: `svc:///identities/ada`
     */
    id: string;
    /** Where the identity is read. */
    url: string;
    /**
     * The id that the application gave the user.
     * For example: `ada`
     */
    user_id: string;
    display_name: string | null;
    avatar_url: string | null;
    /** A person, or a program. */
    type: "User" | "Bot";
    /** The same as `type`. */
    identity_type: "user" | "bot";
    first_name: string | null;
    last_name: string | null;
    phone_number: string | null;
    email_address: string | null;
    public_key: string | null;
    presence: Presence;
    /**
     * The application's own properties of the user.
     * For example: `{`
     * "team": "analysis"
     * }
     */
    metadata: {
        [key: string]: string;
    };
};

/** The properties to change. What is left out stays; null clears a text, and all metadata. */
export type IdentityChanges = {
    display_name?: string | null;
    avatar_url?: string | null;
    first_name?: string | null;
    last_name?: string | null;
    phone_number?: string | null;
    email_address?: string | null;
    public_key?: string | null;
    type?: ("User" | "Bot" | "user" | "bot") | null;
    identity_type?: ("User" | "Bot" | "user" | "bot") | null;
    metadata?: {
        [key: string]: string;
    } | null;
};

/** A user came into being, by a first login or by a server. */
export type IdentityCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Identity.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    identity: NoticedIdentity;
};

/** A whole identity: what is left out or null is empty. */
export type IdentityInput = {
    /** Name to show, 1 to 128 characters. */
    display_name: string;
    avatar_url?: string | null;
    first_name?: string | null;
    last_name?: string | null;
    phone_number?: string | null;
    email_address?: string | null;
    public_key?: string | null;
    type?: ("User" | "Bot" | "user" | "bot") | null;
    identity_type?: ("User" | "Bot" | "user" | "bot") | null;
    metadata?: {
        [key: string]: string;
    } | null;
};

/** One change of an identity. */
export type IdentityStep = {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "display_name";
    /** Name to show, at most 128 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "avatar_url";
    /** Address of a picture, at most 1024 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "first_name";
    /** At most 128 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "last_name";
    /** At most 128 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "phone_number";
    /** At most 32 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "email_address";
    /** At most 255 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "public_key";
    /** At most 4096 characters. */
    value: string;
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "type";
    /** A person, or a program. By default a person; upper and lower case are the same. */
    value: "User" | "Bot" | "user" | "bot";
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "identity_type";
    /** A person, or a program. By default a person; upper and lower case are the same. */
    value: "User" | "Bot" | "user" | "bot";
} | {
    /** Gives the property a value. */
    operation: "set";
    /** What to set. */
    property: "metadata";
    /**
     * The application's own properties of the user: at most 16 keys with texts, 2048 bytes as JSON.
     * For example: `{`
     * "team": "analysis"
     * }
     */
    value: {
        [key: string]: string;
    };
} | {
    /** Gives the property a value. */
    operation: "set";
    /**
     * One key of the metadata; a dot within the key is written `\.`.
     * For example: `metadata.team`
     */
    property: string;
    /** The text of the key. */
    value: string;
} | {
    /** Clears the property. */
    operation: "delete";
    property: ("display_name" | "avatar_url" | "first_name" | "last_name" | "phone_number" | "email_address" | "public_key" | "metadata") | string;
    /** Ignored. */
    value?: unknown;
};

/** The claims of an identity token. A login creates the identity of `prn`, or refreshes it with the claims that are present. */
export type IdentityTokenClaims = {
    /** URI of the provider. It belongs to the app. */
    iss: string;
    /**
     * The user id: what the application calls the user. Neither `.` nor `..`, and it does not begin with a word and `:///`, unless the user exists from before this rule.
     * For example: `ada`
     */
    prn: string;
    /** When the token was made; at most 60 s in the future. Seconds since 1970. */
    iat: number;
    /** When the token ends, 30 s to 10 min ahead. A later login with it is refused. Seconds since 1970. */
    exp: number;
    /** The nonce, neither decoded nor changed. */
    nce: string;
    /** First name. Changes the identity when it is there. */
    first_name?: string;
    /** Last name. Changes the identity when it is there. */
    last_name?: string;
    /** Name to show. Changes the identity when it is there. */
    display_name?: string;
    /** Address of a picture. Changes the identity when it is there. */
    avatar_url?: string;
};

/** The header of an identity token. The parameter `crit` is refused, since none is supported. */
export type IdentityTokenHeader = {
    typ: "JWT";
    alg: "RS256";
    /** External identity token, version 1. */
    cty: "svc-eit;v=1";
    /** URI of the key that signs, one of the provider's. */
    kid: string;
};

/** An identity was changed. `identity` is the identity afterwards. */
export type IdentityUpdatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Identity.updated";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    identity: NoticedIdentity;
};

/** Something went wrong. */
export type InternalServerError = {
    /** The kind of error; programs decide by it. */
    id: "internal_server_error";
    /** The number that stands for `id`. */
    code: 100;
    /**
     * For people; its wording may change.
     * For example: `Something went wrong.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** The app id is not valid. */
export type InvalidAppIdError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_app_id";
    /** The number that stands for `id`. */
    code: 2;
    /**
     * For people; its wording may change.
     * For example: `The app id is not valid.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** A header is missing or not valid. */
export type InvalidHeaderError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_header";
    /** The number that stands for `id`. */
    code: 107;
    /**
     * For people; its wording may change.
     * For example: `A header is missing or not valid.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
        /**
         * The values that are accepted, where there are only certain ones.
         * For example: `[`
         * "created_at",
         * "last_message"
         * ]
         */
        accepted?: string[];
    } | null;
};

/** The operation is not possible now. */
export type InvalidOperationError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_operation";
    /** The number that stands for `id`. */
    code: 9;
    /**
     * For people; its wording may change.
     * For example: `The operation is not possible now.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
        /** The greatest number or depth. */
        limit?: number;
    } | null;
};

/** A property is not valid. */
export type InvalidPropertyError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_property";
    /** The number that stands for `id`. */
    code: 105;
    /**
     * For people; its wording may change.
     * For example: `A property is not valid.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
        /**
         * The values that are accepted, where there are only certain ones.
         * For example: `[`
         * "created_at",
         * "last_message"
         * ]
         */
        accepted?: string[];
        /**
         * Which rule an identity token breaks.
         * For example: `eit_nonce_not_found`
         */
        reason?: string;
    } | null;
};

/** The request is not of the expected form. */
export type InvalidRequestError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_request";
    /** The number that stands for `id`. */
    code: 10;
    /**
     * For people; its wording may change.
     * For example: `The request is not of the expected form.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
        /**
         * The values that are accepted, where there are only certain ones.
         * For example: `[`
         * "created_at",
         * "last_message"
         * ]
         */
        accepted?: string[];
        /** The line of the first character at fault; line and column are both from 1, in the text as it was sent. */
        line?: number;
        /** Its column, in UTF-16 code units. */
        column?: number;
        /** The greatest number or depth. */
        limit?: number;
    } | null;
};

/** The id is neither a UUID nor a URI of the right kind. */
export type InvalidRequestIdError = {
    /** The kind of error; programs decide by it. */
    id: "invalid_request_id";
    /** The number that stands for `id`. */
    code: 3;
    /**
     * For people; its wording may change.
     * For example: `The id is neither a UUID nor a URI of the right kind.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
    } | null;
};

/** Names the property that is wrong, and why a token is refused. */
export type InvalidSessionProperty = {
    /** For example: `identity_token ` */
    property: string;
    /** Why the identity token is refused. Absent for another property. */
    reason?: "eit_claim_not_found" | "eit_claim_wrong_type" | "eit_expired" | "eit_header_param_not_found" | "eit_header_param_wrong_type" | "eit_header_param_wrong_value" | "eit_key_deleted" | "eit_key_disabled" | "eit_key_malformed" | "eit_key_not_found" | "eit_malformed_base64url" | "eit_malformed_json" | "eit_nonce_not_found" | "eit_not_before" | "eit_provider_not_bound_to_app" | "eit_provider_not_found" | "eit_signature_verification_failed" | "eit_user_suspended" | "eit_wrong_jws_part_count";
};

/** How far a device of the user has the messages of a conversation. */
export type MarkAllDeliveredInput = {
    position?: number | null;
};

/** How far the user has read. */
export type MarkAllReadInput = {
    position?: number | null;
};

/** How far the messages of a conversation are marked delivered. */
export type MarkedDelivered = {
    /** Up to which position messages are delivered now, at most that of the last one. */
    position: number;
};

/** How far the messages of a conversation are marked read. */
export type MarkedRead = {
    /** Up to which position messages are read now, at most that of the last one. */
    position: number;
};

/** A message as its reader sees it. */
export type Message = {
    /** URI of the message. */
    id: string;
    /** Where the message is read. */
    url: string;
    receipts_url: string | null;
    /** Number of the message in its conversation: 1 for the first, then without gaps. */
    position: number;
    conversation: ConversationReference;
    /** In the order of the sender. */
    parts: MessagePart[];
    /**
     * ISO 8601.
     * When the message was sent.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    sent_at: string;
    received_at: string | null;
    /** The user or bot who sent it. */
    sender: BasicIdentity | null;
    is_unread: boolean | null;
    /**
     * By the URI of the identity: how far the message has come with each participant, always `read` for its sender. Participants who were added later are not listed.
     * For example: `{`
     * "svc:///identities/ada": "read",
     * "svc:///identities/bob": "delivered"
     * }
     */
    recipient_status: {
        [key: string]: RecipientStatus;
    };
    updated_at: string | null;
    notification?: Notification;
    metadata?: MessageMetadata;
    /**
     * By key: how users reacted to the message. Absent without any.
     * For example: `{`
     * "👍": {
     * "count": 2,
     * "recent": [
     * "svc:///identities/bob",
     * "svc:///identities/ada"
     * ],
     * "own": true
     * }
     * }
     */
    reactions?: {
        [key: string]: ReactionSummary;
    };
    /** For servers: its sender was under a shadow restriction, so nobody else sees it. Otherwise left out. */
    shadowed?: true;
};

/** Messages of one conversation, none of them scheduled, each with an id of its own. */
export type MessageBatch = {
    /**
     * The sender: a participant, or any bot. `sender.name` and `sender.user_id` are refused. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    sender_id: string;
    parts: PartsInput;
    notification?: NotificationInput | null;
    metadata?: MessageMetadata | null;
    id?: string | null;
    significance?: Significance | null;
    schedule?: null;
}[];

/** A message was sent. */
export type MessageCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Message.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message: Message;
};

/** A message was deleted for all participants. `message` is the message before. */
export type MessageDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Message.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message: Message;
};

/** A message to send. Without a notification no push is sent. */
export type MessageInput = {
    parts: PartsInput;
    notification?: NotificationInput | null;
    metadata?: MessageMetadata | null;
    id?: string | null;
};

/**
 * Nested objects with texts, numbers and booleans as leaves, for programs: at most 4096 bytes as JSON, and 24 levels. By convention `kind` is `system` in notices.
 * For example: `{`
 * "kind": "system",
 * "order": {
 * "number": 42
 * }
 * }
 */
export type MessageMetadata = {
    [key: string]: string | number | boolean | MessageMetadata;
};

/** One piece of a message: a media type with an inline body, or with a content. */
export type MessagePart = {
    /**
     * URI of the part.
     * For example: `svc:///messages/01990000-0000-7000-8000-00000000000d/parts/01990000-0000-7000-8000-00000000000e`
     */
    id: string;
    /** Where the part is read. */
    url: string;
    /** Where the message is read. */
    message_url: string;
    /**
     * As the sender gave it.
     * For example: `text/plain`
     */
    mime_type: string;
    body: string | null;
    encoding: string | null;
    content: Content | null;
    updated_at: string | null;
    /**
     * Name under which a download of `content` is saved, as the sender gave it; absent without one.
     * For example: `report.pdf`
     */
    filename?: string;
};

/** A part was added to a message. */
export type MessagePartCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "MessagePart.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message_part: MessagePart;
    message: ShadowableMessageReference;
};

/** A part of a message was removed. */
export type MessagePartDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "MessagePart.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message_part: DeletedMessagePart;
    message: ShadowableMessageReference;
};

/** A part of a message was changed. */
export type MessagePartUpdatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "MessagePart.updated";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message_part: MessagePart;
    message: ShadowableMessageReference;
};

/** Steps that are applied in order, all of them or none. The metadata keep within their limits after each; what all steps name and set has at most 65536 bytes. */
export type MessagePatch = (SetMessageMetadata | SetMessageMetadataKey | DeleteMetadata | DeleteMetadataKey)[];

/** Names one of the messages without showing it. */
export type MessageReference = {
    /** URI of the record. */
    id: string;
    /** Where the record is read. */
    url: string;
};

/** Parts of a message were added, changed or removed, or its metadata changed. `message` is the message afterwards; each part has a notice of its own. */
export type MessageUpdatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Message.updated";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    message: Message;
};

/**
 * Nested objects with texts as leaves: at most 2048 bytes as JSON, and 24 levels.
 * For example: `{`
 * "topic": "engines",
 * "colours": {
 * "background": "#fff"
 * }
 * }
 */
export type Metadata = {
    [key: string]: string | Metadata;
};

/** A required property is missing. */
export type MissingPropertyError = {
    /** The kind of error; programs decide by it. */
    id: "missing_property";
    /** The number that stands for `id`. */
    code: 104;
    /**
     * For people; its wording may change.
     * For example: `A required property is missing.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
        /**
         * The header.
         * For example: `Accept`
         */
        header?: string;
    } | null;
};

export type Nonce = {
    /** Belongs into the claim `nce`, unchanged. Valid for one login within 10 minutes. */
    nonce: string;
};

/** There is no such object. */
export type NotFoundError = {
    /** The kind of error; programs decide by it. */
    id: "not_found";
    /** The number that stands for `id`. */
    code: 102;
    /**
     * For people; its wording may change.
     * For example: `There is no such object.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * What is missing.
         * For example: `conversation`
         */
        kind?: string;
        id?: string | null;
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
    } | null;
};

/** An identity, but metadata that is too large for an event is left out. */
export type NoticedIdentity = {
    /**
     * URI of the identity.
     * For example: `svc:///identities/ada`
     */
    id: string;
    /** Where the identity is read. */
    url: string;
    /**
     * The id that the application gave the user.
     * For example: `ada`
     */
    user_id: string;
    display_name: string | null;
    avatar_url: string | null;
    /** A person, or a program. */
    type: "User" | "Bot";
    /** The same as `type`. */
    identity_type: "user" | "bot";
    first_name: string | null;
    last_name: string | null;
    phone_number: string | null;
    email_address: string | null;
    public_key: string | null;
    presence: Presence;
    /**
     * The application's own properties of the user.
     * For example: `{`
     * "team": "analysis"
     * }
     */
    metadata?: {
        [key: string]: string;
    };
};

/** What devices show for a message. */
export type Notification = {
    title: string | null;
    text: string | null;
    sound: string | null;
};

/** What devices show; each text has at most 2048 characters. A badge cannot be given: it is counted for each user. */
export type NotificationInput = {
    title?: string | null;
    text?: string | null;
    sound?: string | null;
};

/** A push without a message. */
export type NotificationRequest = {
    /** Whom to notify, at most 10000 users. Users without devices are skipped. */
    recipients: string[];
    notification: NotificationInput;
    ttl?: number | null;
    data?: {
        [key: string]: unknown;
    } | null;
};

/** The object was deleted. */
export type ObjectDeletedError = {
    /** The kind of error; programs decide by it. */
    id: "object_deleted";
    /** The number that stands for `id`. */
    code: 103;
    /**
     * For people; its wording may change.
     * For example: `The object was deleted.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** A restriction of the reader, while it is in force. */
export type OwnRestriction = {
    /** `mute`: the user may not write. `ban`: the user may not take part. */
    type: "mute" | "ban";
    until: string | null;
    reason: string | null;
    /** Where it holds. */
    scope: "app" | "conversation";
};

/** A part to send: with a text, with bytes, or with a content. */
export type PartInput = TextPartInput | Base64PartInput | ContentPartInput;

/** A participant blocks the user. */
export type ParticipantBlockedError = {
    /** The kind of error; programs decide by it. */
    id: "participant_blocked";
    /** The number that stands for `id`. */
    code: 110;
    /**
     * For people; its wording may change.
     * For example: `A participant blocks the user.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The property, such as `parts.0.body`.
         * For example: `parts.0.body`
         */
        property?: string;
    } | null;
};

/** Users were added to a conversation. */
export type ParticipationCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Participation.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    /** The users who came, or went. */
    changes: BasicIdentity[];
    conversation: ConversationReference;
};

/** Users left a conversation or were removed. */
export type ParticipationDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Participation.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    /** The users who came, or went. */
    changes: BasicIdentity[];
    conversation: ConversationReference;
};

/** Roles of participants changed. `conversation` is the conversation afterwards. */
export type ParticipationUpdatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Participation.updated";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    conversation: Conversation;
};

/** All parts of a message, together at most 900000 bytes. */
export type PartsInput = PartInput[];

/** The caller lacks the permission. */
export type PermissionDeniedError = {
    /** The kind of error; programs decide by it. */
    id: "permission_denied";
    /** The number that stands for `id`. */
    code: 999;
    /**
     * For people; its wording may change.
     * For example: `The caller lacks the permission.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The rule or setting that forbids the action.
         * For example: `role`
         */
        reason?: string;
        /**
         * The action that was needed.
         * For example: `send`
         */
        action?: string;
        until?: string | null;
    } | null;
};

/** Whether a user is there. */
export type Presence = {
    status: PresenceStatus;
    last_seen_at: string | null;
};

/** What the user wants to appear as. */
export type PresenceInput = {
    /** The choice is kept across connections; `auto` ends it: available while connected, else offline. */
    status: "available" | "away" | "busy" | "offline" | "invisible" | "auto";
};

/** What a user appears as. Only the user themselves ever sees `invisible`. */
export type PresenceStatus = "available" | "away" | "busy" | "offline" | "invisible";

/** A push to one device of a user, without its text. */
export type Push = {
    /**
     * Bare UUID.
     * For example: `01990000-0000-7000-8000-000000000012`
     */
    id: string;
    /** The device that it is for. */
    device_id: string;
    provider: PushProvider;
    message: string | null;
    conversation: string | null;
    status: PushStatus;
    /** Attempts so far. */
    attempt_count: number;
    reason: string | null;
    /**
     * ISO 8601.
     * When the push was requested.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    next_attempt_at: string | null;
    settled_at: string | null;
};

/** The push service of a device accepted a push. Whether the device showed it is not known. */
export type PushDeliveredNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Push.delivered";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    push: SettledPush;
    /** The message; null for a push without one. */
    message: MessageReference | null;
    /** The conversation of the message. */
    conversation: ConversationReference | null;
};

/** A push to a device failed for good. */
export type PushFailedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Push.failed";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    push: SettledPush;
    /** The message; null for a push without one. */
    message: MessageReference | null;
    /** The conversation of the message. */
    conversation: ConversationReference | null;
};

/** The key with which browsers subscribe to the pushes of an application. */
export type PushKey = {
    /** A point of the curve P-256, uncompressed, as base64url: the `applicationServerKey` of a subscription. */
    public_key: string;
};

/** The keys of a subscription to Web Push, as `PushSubscription.toJSON()` gives them. */
export type PushKeys = {
    /** A point of the curve P-256, uncompressed, as base64url. */
    p256dh: string;
    /** 16 random bytes, as base64url. */
    auth: string;
};

/** Which push service it is sent by: `web` is that of the browser. */
export type PushProvider = "web" | "fcm" | "apns";

/** The push service has accepted a delivered push. A dead one has failed for good. A dropped one was not sent, since there was no reason left to show it. */
export type PushStatus = "pending" | "delivered" | "dead" | "dropped";

/** Where pushes to a device go. One of a browser has keys. Further properties are kept, at most 4096 bytes as JSON. */
export type PushTokenInput = {
    /** The token that the push service gave the device, of a browser the subscription's endpoint; at most 4096 bytes of UTF-8. */
    token: string;
    /** The push service. */
    type: "apns" | "fcm" | "gcm" | "web";
    keys?: PushKeys | null;
    /**
     * Names the device; a device has one token of the user. Neither `.` nor `..`.
     * For example: `phone-1`
     */
    device_id: string;
} & {
    [key: string]: unknown;
};

/** A quota is exhausted. */
export type QuotaExceededError = {
    /** The kind of error; programs decide by it. */
    id: "quota_exceeded";
    /** The number that stands for `id`. */
    code: 113;
    /**
     * For people; its wording may change.
     * For example: `A quota is exhausted.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The exhausted quota.
         * For example: `unreferenced_bytes_of_user`
         */
        quota?: string;
        /** The most that it allows. */
        limit?: number;
        resets_at?: string | null;
    } | null;
};

/** Too many requests. */
export type RateLimitExceededError = {
    /** The kind of error; programs decide by it. */
    id: "rate_limit_exceeded";
    /** The number that stands for `id`. */
    code: 7;
    /**
     * For people; its wording may change.
     * For example: `Too many requests.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /**
         * The exhausted limit.
         * For example: `session`
         */
        policy?: string;
        /** Seconds after which another attempt may succeed; also in `Retry-After`. */
        retry_after_seconds?: number;
    } | null;
};

/** How one user reacted to a message. */
export type Reaction = {
    /** URI of the reaction. */
    id: string;
    /** With what the user reacted. */
    key: string;
    user: BasicIdentity;
    /**
     * ISO 8601.
     * When the user reacted.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
};

/** A user reacted to a message. */
export type ReactionCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Reaction.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    reaction: Reaction;
    message: MessageReference;
    conversation: ConversationReference;
};

/** A user took a reaction back. */
export type ReactionDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Reaction.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    reaction: Reaction;
    message: MessageReference;
    conversation: ConversationReference;
};

/** What is pushed to the sender of the message, once for each user who reacts. Without a notification no push is sent. */
export type ReactionInput = {
    notification?: NotificationInput | null;
};

/** The reactions to a message with one key. */
export type ReactionSummary = {
    /** Users who reacted with the key. */
    count: number;
    /** Who reacted last, newest first, without users whom the reader blocks. */
    recent: string[];
    /** The reader is among them. */
    own?: true;
    /** All of them, in a historical export. */
    user_ids?: string[];
};

/** A confirmation by a participant, the actor. */
export type Receipt = {
    /** What the participant confirms. */
    type: "Read" | "Delivery";
    /** Which messages of the conversation. */
    positions: {
        /** Position of the message. */
        from: number;
        /** The same position: each message has a notice of its own. */
        to: number;
    };
};

/** A message was delivered, or read. */
export type ReceiptCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Receipt.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    receipt: Receipt;
    message: MessageReference;
    conversation: ConversationReference;
};

/** What became of a message or an announcement on its way to the user. */
export type ReceiptInput = {
    /** A message that is read was delivered, too. */
    type: "read" | "delivery";
};

/** How far a message has come with one participant. */
export type RecipientStatus = "sent" | "delivered" | "read";

/** What a replay found. */
export type ReplayCount = {
    /** Deliveries that are sent again. */
    count: number;
};

/** The deliveries to send again. */
export type ReplayInput = {
    /**
     * ISO 8601.
     * Deliveries of events from this moment on; ISO 8601 with a time zone.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    from: string;
    until?: string | null;
    status?: ("dead" | "delivered") | null;
};

/** The request body is too large. */
export type RequestEntityTooLargeError = {
    /** The kind of error; programs decide by it. */
    id: "request_entity_too_large";
    /** The number that stands for `id`. */
    code: 11;
    /**
     * For people; its wording may change.
     * For example: `The request body is too large.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** The request took too long. */
export type RequestTimeoutError = {
    /** The kind of error; programs decide by it. */
    id: "request_timeout";
    /** The number that stands for `id`. */
    code: 8;
    /**
     * For people; its wording may change.
     * For example: `The request took too long.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** Keeps a user from writing, or from taking part. */
export type Restriction = {
    user: BasicIdentity;
    /** `mute`: the user may not write. `ban`: the user may not take part. `shadow`: what the user writes reaches nobody; of the whole application, and in webhooks and exports alone. */
    type: "mute" | "ban" | "shadow";
    until: string | null;
    reason: string | null;
    created_by: string | null;
    /**
     * ISO 8601.
     * Since when.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
};

/** A user was restricted in a conversation, or in the whole application. */
export type RestrictionCreatedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Restriction.created";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    restriction: Restriction;
    /** Where it holds; null: in the whole application. */
    conversation: ConversationReference | null;
};

/** A restriction was lifted. One that ends by the clock has no notice. */
export type RestrictionDeletedNotice = {
    /** Which event this is. */
    event: {
        /**
         * Bare UUID of the event, the same in every webhook, archive and retry.
         * For example: `01990000-0000-7000-8000-000000000014`
         */
        id: string;
        /** What happened. */
        type: "Restriction.deleted";
        /**
         * ISO 8601.
         * When it happened.
         * For example: `2026-11-20T20:15:30.123Z`
         */
        created_at: string;
        /** Only in a test event, which is an example: nothing has happened. */
        test?: true;
    };
    /** Who did it; null when a server or the platform did. */
    actor: BasicIdentity | null;
    /** The `config` of the webhook; left out when it has none. */
    config?: {
        [key: string]: unknown;
    };
    restriction: Restriction;
    /** Where it holds; null: in the whole application. */
    conversation: ConversationReference | null;
};

/** A restriction of a user in a conversation. */
export type RestrictionInput = {
    /** `mute`: the user may not write. `ban`: the user may not take part. */
    type: "mute" | "ban";
    until?: string | null;
    reason?: string | null;
};

/** When a message is sent. */
export type Schedule = {
    /** After how long the message is sent. */
    delay_in_seconds: number;
    typing_indicator_in_seconds?: number | null;
};

/** The file `export.json` of a scheduled export. */
export type ScheduledArchive = {
    /** In the order of time; each event is in one archive. */
    events: ExportEvent[];
};

/** A message that is accepted and not sent yet. It is dropped when its conversation is deleted or its sender removed before. */
export type ScheduledMessage = {
    /** URI that the message has once it is sent. */
    id: string;
    /** Where the scheduled message is read, until it is sent. */
    url: string;
    conversation: ConversationReference;
    sender: BasicIdentity | null;
    parts: MessagePart[];
    notification: Notification | null;
    metadata?: MessageMetadata;
    /**
     * ISO 8601.
     * When the platform accepted it.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    /**
     * ISO 8601.
     * When it is sent.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    send_at: string;
    typing_indicator_at: string | null;
};

/** The new secret; made when it is left out. */
export type SecretInput = {
    secret?: string | null;
};

/** A message that a server sends in the name of a user or a bot. */
export type ServerMessageInput = {
    /**
     * The sender: a participant, or any bot. `sender.name` and `sender.user_id` are refused. The URI of the identity or the bare user id.
     * For example: `ada`
     * For example: `svc:///identities/bob`
     */
    sender_id: string;
    parts: PartsInput;
    notification?: NotificationInput | null;
    metadata?: MessageMetadata | null;
    id?: string | null;
    significance?: Significance | null;
    schedule?: Schedule | null;
};

/** The service is unavailable at the moment. */
export type ServiceUnavailableError = {
    /** The kind of error; programs decide by it. */
    id: "service_unavailable";
    /** The number that stands for `id`. */
    code: 1;
    /**
     * For people; its wording may change.
     * For example: `The service is unavailable at the moment.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: {
        /** Seconds after which another attempt may succeed; also in `Retry-After`. */
        retry_after_seconds?: number;
    } | null;
};

export type Session = {
    /** Goes into the Authorization header of every request: `Svc session-token="…"`. */
    session_token: string;
};

export type SessionInput = {
    /**
     * URI of the app with its environment.
     * For example: `svc:///apps/production/01990000-0000-7000-8000-000000000001`
     */
    app_id: string;
    /** A JSON Web Token that the application's login backend has signed: an `IdentityTokenHeader` and `IdentityTokenClaims`. */
    identity_token: string;
};

/** Freezes the conversation, or ends that. */
export type SetFrozen = {
    operation: "set";
    property: "frozen";
    value: boolean;
};

/** Replaces all metadata. */
export type SetMessageMetadata = {
    operation: "set";
    property: "metadata";
    value: MessageMetadata;
};

/** Sets a key of the metadata. Objects that are missing on its path are made. */
export type SetMessageMetadataKey = {
    operation: "set";
    /**
     * A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\.`.
     * For example: `metadata.topic`
     */
    property: string;
    value: string | number | boolean | MessageMetadata;
};

/** Replaces all metadata. */
export type SetMetadata = {
    operation: "set";
    property: "metadata";
    value: Metadata;
};

/** Sets a key of the metadata. Objects that are missing on its path are made. */
export type SetMetadataKey = {
    operation: "set";
    /**
     * A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\.`.
     * For example: `metadata.topic`
     */
    property: string;
    value: string | Metadata;
};

/** Replaces all participants. The conversation is not distinct any more. */
export type SetParticipants = {
    operation: "set";
    property: "participants";
    value: string[];
    history?: ("all" | "none") | null;
};

/** Gives a participant a role. */
export type SetRole = {
    /** Gives a role. */
    operation: "set";
    /**
     * `roles.` and the user id or the URI of the identity. A dot within the user id is written `\.`.
     * For example: `roles.bob`
     */
    property: string;
    /** The role. */
    value: "owner" | "moderator" | "member" | "observer";
};

/** Sets the least time between two messages of a participant. */
export type SetSlowMode = {
    operation: "set";
    property: "slow_mode_in_seconds";
    /** 0: as the type says. */
    value: number;
};

/** A push to one device that was delivered, or failed for good. */
export type SettledPush = {
    /**
     * Bare UUID, as in the list of pushes to the user.
     * For example: `01990000-0000-7000-8000-000000000012`
     */
    id: string;
    /**
     * The user.
     * For example: `svc:///identities/ada`
     */
    recipient: string;
    /** The device that it was for. */
    device_id: string;
    provider: PushProvider;
    /** Attempts that it took. */
    attempt_count: number;
    reason: string | null;
};

/** Names one of the messages without showing it, and says whether it is shadowed. */
export type ShadowableMessageReference = {
    /** URI of the record. */
    id: string;
    /** Where the record is read. */
    url: string;
    /** For servers: its sender was under a shadow restriction, so nobody else sees it. Otherwise left out. */
    shadowed?: true;
};

/** Shows a user who was added without the history all of it. Servers only; for users 403 `access_denied`. */
export type ShowHistory = {
    operation: "set";
    /**
     * `history.` and the user id. A dot within the user id is written `\.`.
     * For example: `history.bob`
     */
    property: string;
    value: "all";
};

/** How much a message matters to its recipients; `normal` to all when left out. */
export type Significance = {
    default?: ("normal" | "low") | null;
    recipients?: {
        [key: string]: "normal" | "low";
    } | null;
};

/** Suspends a user, or ends the suspension. */
export type SuspensionStep = {
    /** Gives the property a value. */
    operation: "set";
    /** Whether the user is suspended. */
    property: "suspended";
    /** True suspends the user and ends their sessions; false lets them back. */
    value: boolean;
};

/** The event of which an example is delivered. */
export type TestEventInput = {
    /** By default the first event that the webhook subscribes to. */
    event?: WebhookEventName | null;
};

/** A part with a text. */
export type TextPartInput = {
    id?: string | null;
    /**
     * Media type; kept as it is, with its parameters.
     * For example: `text/plain`
     */
    mime_type: string;
    /** At most `inline_body_bytes` of the app, by default 2048 bytes of UTF-8. */
    body: string;
    encoding?: null;
    content?: null;
    filename?: null;
};

/** A user as the servers of the app see them. */
export type User = {
    identity: Identity;
    /** Whether the user is kept from logging in and acting. */
    suspended: boolean;
};

/** A restriction of a user in the whole application. */
export type UserRestrictionInput = {
    /** `mute`: the user may not write. `shadow`: what the user writes from then on reaches nobody, and the user is not told. */
    type: "mute" | "shadow";
    until?: string | null;
    reason?: string | null;
};

/** The user is suspended. */
export type UserSuspendedError = {
    /** The kind of error; programs decide by it. */
    id: "user_suspended";
    /** The number that stands for `id`. */
    code: 6;
    /**
     * For people; its wording may change.
     * For example: `The user is suspended.`
     */
    message: string;
    /** Explains the error. */
    url: string;
    data: Record<string, never> | null;
};

/** A registered target of events. Its secret is never shown. */
export type Webhook = {
    /**
     * URI of the webhook.
     * For example: `svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011`
     */
    id: string;
    /** Where the webhook is read. */
    url: string;
    /**
     * Version of the notices.
     * For example: `3.0`
     */
    version: string;
    /** Where notices go. */
    target_url: string;
    events: WebhookEventName[];
    /** Notices are sent while it is `active`; `unverified` waits for the target to echo a challenge. */
    status: "unverified" | "active" | "inactive";
    status_reason: string | null;
    config: {
        [key: string]: unknown;
    } | null;
    /**
     * ISO 8601.
     * When the webhook was registered.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
};

/** The properties to change; what is left out or null stays, but null removes `config`. */
export type WebhookChanges = {
    target_url?: string | null;
    events?: WebhookEventName[] | null;
    secret?: string | null;
    config?: {
        [key: string]: unknown;
    } | null;
};

/** What happened. */
export type WebhookEventName = "Message.created" | "Message.updated" | "Message.deleted" | "MessagePart.created" | "MessagePart.updated" | "MessagePart.deleted" | "Reaction.created" | "Reaction.deleted" | "Receipt.created" | "Conversation.created" | "Conversation.updated" | "Conversation.deleted" | "Participation.created" | "Participation.deleted" | "Participation.updated" | "Restriction.created" | "Restriction.deleted" | "Identity.created" | "Identity.updated" | "Push.delivered" | "Push.failed";

/** A webhook to register. */
export type WebhookInput = {
    /** Version of the notices. */
    version: "3.0";
    /**
     * Where notices go: an HTTPS address of the public internet without credentials.
     * For example: `https://app.example.com/notices`
     * For example: `https://hooks.example.com:8443/chat?app=1`
     */
    target_url: string;
    /** The events to be notified of. */
    events: WebhookEventName[];
    /** The key of the signatures, kept secret by both sides. After `whsec_` the rest is base64 of the key. */
    secret: string;
    config?: {
        [key: string]: unknown;
    } | null;
};

/** A webhook right after its secret was rotated. */
export type WebhookWithSecret = {
    /**
     * URI of the webhook.
     * For example: `svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011`
     */
    id: string;
    /** Where the webhook is read. */
    url: string;
    /**
     * Version of the notices.
     * For example: `3.0`
     */
    version: string;
    /** Where notices go. */
    target_url: string;
    events: WebhookEventName[];
    /** Notices are sent while it is `active`; `unverified` waits for the target to echo a challenge. */
    status: "unverified" | "active" | "inactive";
    status_reason: string | null;
    config: {
        [key: string]: unknown;
    } | null;
    /**
     * ISO 8601.
     * When the webhook was registered.
     * For example: `2026-11-20T20:15:30.123Z`
     */
    created_at: string;
    /** The new secret, shown this once. */
    secret: string;
};
