// Every public record as a plain type, made from the schemas of packages/contract/src by
// `UPDATE_DOCS=1 npm test -- scripts/contract`.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The user does not take part in this conversation. */
        AccessDeniedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "access_denied";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 101;
            /**
             * @description For people; its wording may change.
             * @example The user does not take part in this conversation.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
            } | null;
        };
        /** @description A message of a server to many users, outside conversations. */
        Announcement: {
            /** @description URI of the announcement. */
            id: string;
            /**
             * Format: uri
             * @description Where a recipient reads the announcement.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the announcement was sent.
             * @example 2026-11-20T20:15:30.123Z
             */
            sent_at: string;
            /** @description To whom it was sent. Of more than 100 recipients each reader sees only themselves. */
            recipients: string[];
            sender: components["schemas"]["BasicIdentity"] | null;
            parts: components["schemas"]["AnnouncementPart"][];
            receipts_url: string | null;
            position: number | null;
            is_unread: boolean | null;
            recipient_status: {
                [key: string]: components["schemas"]["RecipientStatus"];
            } | null;
            notification?: components["schemas"]["Notification"];
        };
        /** @description An announcement to send. */
        AnnouncementInput: {
            id?: string | null;
            /** @description To whom to send. Users who do not exist are skipped; one at least has to exist. */
            recipients: string[];
            /**
             * @description Who sends. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            sender_id: string;
            parts: components["schemas"]["PartInput"][];
            notification?: components["schemas"]["NotificationInput"] | null;
        };
        /** @description One piece of an announcement: a media type with an inline body, or with a content. */
        AnnouncementPart: {
            /**
             * @description URI of the part.
             * @example svc:///announcements/01990000-0000-7000-8000-000000000010/parts/01990000-0000-7000-8000-00000000000e
             */
            id: string;
            /**
             * Format: uri
             * @description Where the part is read.
             */
            url: string;
            /**
             * Format: uri
             * @description Where the announcement is read.
             */
            message_url: string;
            /**
             * @description As the sender gave it.
             * @example text/plain
             */
            mime_type: string;
            body: string | null;
            encoding: string | null;
            content: components["schemas"]["Content"] | null;
            updated_at: string | null;
        };
        /** @description One changed setting of the app. */
        AppSettingStep: {
            /**
             * @description Gives the setting a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description How long new sessions last.
             * @enum {string}
             */
            property: "session_ttl_in_seconds";
            /** @description Seconds, by default 2592000. */
            value: number;
        } | {
            /**
             * @description Gives the setting a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description The largest inline body of a message part.
             * @enum {string}
             */
            property: "inline_body_bytes";
            /** @description Bytes of UTF-8, by default 2048. */
            value: number;
        };
        /** @description The app is suspended. */
        AppSuspendedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "app_suspended";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 5;
            /**
             * @description For people; its wording may change.
             * @example The app is suspended.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description A valid token is required. */
        AuthenticationRequiredError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "authentication_required";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 4;
            /**
             * @description For people; its wording may change.
             * @example A valid token is required.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The schemes of Authorization of which one is expected.
                 * @example [
                 *       "Bearer"
                 *     ]
                 */
                schemes?: string[];
            } | null;
        };
        /** @description A valid token is required. */
        AuthenticationRequiredErrorWithNonce: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "authentication_required";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 4;
            /**
             * @description For people; its wording may change.
             * @example A valid token is required.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            /** @description What a client needs to log in at once. */
            data: {
                /**
                 * @description The schemes of Authorization of which one is expected.
                 * @example [
                 *       "Bearer"
                 *     ]
                 */
                schemes?: string[];
                nonce: string | null;
            };
        };
        /** @description The numbers that make a user's badge. */
        Badge: {
            /** @description Unread things outside the platform, which the application counts; part of a device's badge. */
            external_unread_count: number;
            /** @description Conversations with unread messages. */
            unread_conversation_count: number;
            /** @description Unread messages in all conversations. */
            unread_message_count: number;
        };
        /** @description The external count of a badge. */
        BadgeInput: {
            /** @description Unread things outside the platform, which the application counts; part of a device's badge. */
            external_unread_count: number;
        };
        /** @description A part with bytes. */
        Base64PartInput: {
            id?: string | null;
            /**
             * @description Media type; kept as it is, with its parameters.
             * @example text/plain
             */
            mime_type: string;
            /** @description At most `inline_body_bytes` of the app, by default 2048 bytes of UTF-8. */
            body: string;
            /** @constant */
            encoding: "base64";
            content?: null;
        };
        /** @description Who a user is, as far as other records show it. */
        BasicIdentity: {
            /**
             * @description URI of the identity.
             * @example svc:///identities/ada
             */
            id: string;
            /**
             * Format: uri
             * @description Where the identity is read.
             */
            url: string;
            /**
             * @description The id that the application gave the user.
             * @example ada
             */
            user_id: string;
            display_name: string | null;
            avatar_url: string | null;
        };
        /** @description One change of the users whom a user blocks. `id` wins over `value`. */
        BlockStep: {
            /**
             * @description Blocks or unblocks one user.
             * @enum {string}
             */
            operation: "add" | "remove";
            /**
             * @description The users whom the user blocks.
             * @enum {string}
             */
            property: "blocks";
            /**
             * @description The user to block or unblock. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            id: string;
        } | {
            /**
             * @description Blocks or unblocks one user.
             * @enum {string}
             */
            operation: "add" | "remove";
            /**
             * @description The users whom the user blocks.
             * @enum {string}
             */
            property: "blocks";
            /**
             * @description The user to block or unblock. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            value: string;
            id?: null;
        } | {
            /**
             * @description Blocks these users and no others.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description The users whom the user blocks.
             * @enum {string}
             */
            property: "blocks";
            /** @description All users to block; may be empty. */
            value: string[];
        };
        /** @description Adds or removes one participant; the key `value` is taken for `id` too. Removing oneself is leaving. The conversation is not distinct any more. */
        ChangeParticipant: {
            /** @enum {string} */
            operation: "add" | "remove";
            /** @constant */
            property: "participants";
            /**
             * @description The user who is added or removed. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            id: string;
        };
        /** @description The object conflicts with one that exists. */
        ConflictError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "conflict";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 108;
            /**
             * @description For people; its wording may change.
             * @example The object conflicts with one that exists.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
                /** @description Seconds after which another attempt may succeed; also in `Retry-After`. */
                retry_after_seconds?: number;
            } | null;
        };
        /** @description A blob in object storage, too large to stand in a part. */
        Content: {
            /** @description URI of the content. */
            id: string;
            /** @description Bytes of the upload. */
            size: number;
            download_url: string | null;
            expiration: string | null;
            /**
             * Format: uri
             * @description Where a new `download_url` is asked for.
             */
            refresh_url: string;
            upload_url: string | null;
        };
        /** @description A part with a content, whose upload is complete. */
        ContentPartInput: {
            id?: string | null;
            /**
             * @description Media type; kept as it is, with its parameters.
             * @example text/plain
             */
            mime_type: string;
            body?: null;
            content: {
                /** @description An uploaded content. The URI or the bare UUID. */
                id: string;
                size?: number | null;
            };
        };
        /** @description A conversation as its reader sees it. */
        Conversation: {
            /** @description URI of the conversation. */
            id: string;
            /**
             * Format: uri
             * @description Where the conversation is read.
             */
            url: string;
            /**
             * Format: uri
             * @description Where messages are listed and sent.
             */
            messages_url: string;
            /**
             * Format: date-time
             * @description When the conversation was created.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
            /** @description In any order. Empty for a user who was removed; they keep what was before, read-only. */
            participants: components["schemas"]["BasicIdentity"][];
            /** @description Whether it is the one conversation of these participants. */
            distinct: boolean;
            metadata: components["schemas"]["Metadata"];
            /** @description The newest message that the reader sees; null without one and for servers. */
            last_message: components["schemas"]["Message"] | null;
            unread_message_count: number | null;
            total_message_count: number | null;
        };
        /** @description A conversation was created. Its first participants and metadata have no notices of their own. */
        ConversationCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Conversation.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            conversation: components["schemas"]["Conversation"];
        };
        /** @description A conversation was deleted for all participants. `conversation` is the conversation before. */
        ConversationDeletedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Conversation.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            conversation: components["schemas"]["Conversation"];
        };
        /** @description A conversation to create. */
        ConversationInput: {
            /** @description A user who creates the conversation takes part without being named; at most 250 with them, unless the platform is set up otherwise. A server names at least one. */
            participants: string[];
            distinct?: boolean | null;
            metadata?: components["schemas"]["Metadata"] | null;
            id?: string | null;
        };
        /** @description Operations that are applied in order, all of them or none. */
        ConversationPatch: (components["schemas"]["SetMetadata"] | components["schemas"]["SetMetadataKey"] | components["schemas"]["DeleteMetadata"] | components["schemas"]["DeleteMetadataKey"] | components["schemas"]["ChangeParticipant"] | components["schemas"]["SetParticipants"])[];
        /** @description Names one of the conversations without showing it. */
        ConversationReference: {
            /** @description URI of the record. */
            id: string;
            /**
             * Format: uri
             * @description Where the record is read.
             */
            url: string;
        };
        /** @description The metadata of a conversation changed. `conversation` is the conversation afterwards. */
        ConversationUpdatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Conversation.updated";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            conversation: components["schemas"]["Conversation"];
        };
        /** @description Deletes all metadata. */
        DeleteMetadata: {
            /** @constant */
            operation: "delete";
            /** @constant */
            property: "metadata";
        };
        /** @description Deletes a key of the metadata, if it is there. */
        DeleteMetadataKey: {
            /** @constant */
            operation: "delete";
            /**
             * @description A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\.`.
             * @example metadata.topic
             */
            property: string;
        };
        /** @description A part that is gone. */
        DeletedMessagePart: {
            /**
             * @description URI of the part.
             * @example svc:///messages/01990000-0000-7000-8000-00000000000d/parts/01990000-0000-7000-8000-00000000000e
             */
            id: string;
            /**
             * Format: uri
             * @description Where the part was read.
             */
            url: string;
            /**
             * Format: uri
             * @description Where the message is read.
             */
            message_url: string;
        };
        /** @description One event for one webhook. */
        Delivery: {
            /**
             * @description Bare UUID; the target gets it in each attempt.
             * @example 01990000-0000-7000-8000-000000000012
             */
            id: string;
            /**
             * Format: uri
             * @description Where the delivery is read.
             */
            url: string;
            /** @description To which webhook. */
            webhook: {
                /**
                 * @description URI of the webhook.
                 * @example svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011
                 */
                id: string;
                /**
                 * Format: uri
                 * @description Where the webhook is read.
                 */
                url: string;
            };
            /** @description What the target is notified of. */
            event: {
                /**
                 * @description Id of the event; the same for all webhooks.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                type: components["schemas"]["WebhookEventName"];
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            status: components["schemas"]["DeliveryStatus"];
            /** @description Attempts so far. */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the delivery was stored.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
            next_attempt_at: string | null;
            settled_at: string | null;
        };
        /** @description One attempt to deliver. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt ended.
             * @example 2026-11-20T20:15:30.123Z
             */
            at: string;
            /** @description Milliseconds that the target took. */
            duration_ms: number;
            response_status: number | null;
            response_body: string | null;
            error: string | null;
        };
        /**
         * @description A dead delivery has used up its attempts; it is kept for 30 days.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "dead";
        /** @description A delivery and what came of its attempts. */
        DeliveryWithAttempts: {
            /**
             * @description Bare UUID; the target gets it in each attempt.
             * @example 01990000-0000-7000-8000-000000000012
             */
            id: string;
            /**
             * Format: uri
             * @description Where the delivery is read.
             */
            url: string;
            /** @description To which webhook. */
            webhook: {
                /**
                 * @description URI of the webhook.
                 * @example svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011
                 */
                id: string;
                /**
                 * Format: uri
                 * @description Where the webhook is read.
                 */
                url: string;
            };
            /** @description What the target is notified of. */
            event: {
                /**
                 * @description Id of the event; the same for all webhooks.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                type: components["schemas"]["WebhookEventName"];
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            status: components["schemas"]["DeliveryStatus"];
            /** @description Attempts so far. */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the delivery was stored.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
            next_attempt_at: string | null;
            settled_at: string | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description An archive, or the work that makes it. Everything that is not known yet is null. */
        Export: {
            /**
             * @description A bare UUID; the URI in the answer to the request.
             * @example 01990000-0000-7000-8000-000000000013
             */
            id: string;
            /**
             * @description Everything that is stored, or the events of a day.
             * @enum {string}
             */
            type: "historical" | "scheduled";
            /**
             * @description A run that fails goes back to `pending` and is repeated.
             * @enum {string}
             */
            status: "pending" | "executing" | "completed";
            status_reason: string | null;
            public_key: string | null;
            key_padding: ("pkcs1" | "oaep-sha256") | null;
            /**
             * Format: date-time
             * @description When the export was requested, or was due.
             * @example 2026-11-20T20:15:30.123Z
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
            /**
             * Format: uri
             * @description Where the status is read.
             */
            status_url: string;
        };
        /** @description Something that happened. */
        ExportEvent: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "message.sent" | "message.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            message: components["schemas"]["Message"];
        } | {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "message.delivered" | "message.read";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            message: components["schemas"]["MessageReference"];
            conversation: components["schemas"]["ConversationReference"];
        } | {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "conversation.created" | "conversation.updated.participants" | "conversation.updated.metadata" | "conversation.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            conversation: components["schemas"]["Conversation"];
        };
        /**
         * @description What happened, in the words of exports.
         * @enum {string}
         */
        ExportEventName: "message.sent" | "message.delivered" | "message.read" | "message.deleted" | "conversation.created" | "conversation.updated.participants" | "conversation.updated.metadata" | "conversation.deleted";
        /** @description The key with which archives are encrypted. */
        ExportKey: {
            /** @description PEM of an RSA public key of 2048 to 16384 bits. */
            public_key: string;
        };
        /** @description The key with which later archives are encrypted. */
        ExportKeyInput: {
            /** @description PEM of an RSA public key of 2048 to 16384 bits. */
            public_key: string;
            padding?: ("pkcs1" | "oaep-sha256") | null;
        };
        /** @description When events are exported, and which. */
        ExportScheduleInput: {
            /**
             * @description `disabled` ends the schedule; what was not exported by then never is.
             * @enum {string}
             */
            interval: "daily" | "disabled";
            events?: components["schemas"]["ExportEventName"][] | null;
            hour_utc?: number | null;
        };
        /** @description The schedule of exports. */
        ExportSettings: {
            /**
             * @description How often events are exported.
             * @enum {string}
             */
            interval: "daily" | "disabled";
            last_export_at: string | null;
            last_export_id: string | null;
            next_export_at: string | null;
        };
        /** @description The file `export.json` of a historical export. */
        HistoricalArchive: {
            /** @description All that were not deleted. */
            conversations: components["schemas"]["Conversation"][];
            /** @description All that were not deleted, conversation by conversation. */
            messages: components["schemas"]["Message"][];
        };
        /** @description The public record of a user. */
        Identity: {
            /**
             * @description URI of the identity.
             * @example svc:///identities/ada
             */
            id: string;
            /**
             * Format: uri
             * @description Where the identity is read.
             */
            url: string;
            /**
             * @description The id that the application gave the user.
             * @example ada
             */
            user_id: string;
            display_name: string | null;
            avatar_url: string | null;
            /**
             * @description A person, or a program.
             * @enum {string}
             */
            type: "User" | "Bot";
            /**
             * @description The same as `type`.
             * @enum {string}
             */
            identity_type: "user" | "bot";
            first_name: string | null;
            last_name: string | null;
            phone_number: string | null;
            email_address: string | null;
            public_key: string | null;
            presence: components["schemas"]["Presence"];
            /**
             * @description The application's own properties of the user.
             * @example {
             *       "team": "analysis"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description The properties to change. What is left out stays; null clears a text, and all metadata. */
        IdentityChanges: {
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
        /** @description A user came into being, by a first login or by a server. */
        IdentityCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Identity.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            identity: components["schemas"]["NoticedIdentity"];
        };
        /** @description A whole identity: what is left out or null is empty. */
        IdentityInput: {
            /** @description Name to show, 1 to 128 characters. */
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
        /** @description One change of an identity. */
        IdentityStep: {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "display_name";
            /** @description Name to show, at most 128 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "avatar_url";
            /** @description Address of a picture, at most 1024 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "first_name";
            /** @description At most 128 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "last_name";
            /** @description At most 128 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "phone_number";
            /** @description At most 32 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "email_address";
            /** @description At most 255 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "public_key";
            /** @description At most 4096 characters. */
            value: string;
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "type";
            /**
             * @description A person, or a program. By default a person; upper and lower case are the same.
             * @enum {string}
             */
            value: "User" | "Bot" | "user" | "bot";
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "identity_type";
            /**
             * @description A person, or a program. By default a person; upper and lower case are the same.
             * @enum {string}
             */
            value: "User" | "Bot" | "user" | "bot";
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description What to set.
             * @enum {string}
             */
            property: "metadata";
            /**
             * @description The application's own properties of the user: at most 16 keys with texts, 2048 bytes as JSON.
             * @example {
             *       "team": "analysis"
             *     }
             */
            value: {
                [key: string]: string;
            };
        } | {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description One key of the metadata; a dot within the key is written `\.`.
             * @example metadata.team
             */
            property: string;
            /** @description The text of the key. */
            value: string;
        } | {
            /**
             * @description Clears the property.
             * @enum {string}
             */
            operation: "delete";
            property: ("display_name" | "avatar_url" | "first_name" | "last_name" | "phone_number" | "email_address" | "public_key" | "metadata") | string;
            /** @description Ignored. */
            value?: unknown;
        };
        /** @description The claims of an identity token. A login creates the identity of `prn`, or refreshes it with the claims that are present. */
        IdentityTokenClaims: {
            /** @description URI of the provider. It belongs to the app. */
            iss: string;
            /**
             * @description The user id: what the application calls the user.
             * @example ada
             */
            prn: string;
            /** @description When the token was made; at most 60 s in the future. Seconds since 1970. */
            iat: number;
            /** @description When the token ends, 30 s to 10 min ahead. A later login with it is refused. Seconds since 1970. */
            exp: number;
            /** @description The nonce, neither decoded nor changed. */
            nce: string;
            /** @description First name. Changes the identity when it is there. */
            first_name?: string;
            /** @description Last name. Changes the identity when it is there. */
            last_name?: string;
            /** @description Name to show. Changes the identity when it is there. */
            display_name?: string;
            /** @description Address of a picture. Changes the identity when it is there. */
            avatar_url?: string;
        };
        /** @description The header of an identity token. The parameter `crit` is refused, since none is supported. */
        IdentityTokenHeader: {
            /** @constant */
            typ: "JWT";
            /** @constant */
            alg: "RS256";
            /**
             * @description External identity token, version 1.
             * @constant
             */
            cty: "svc-eit;v=1";
            /** @description URI of the key that signs, one of the provider's. */
            kid: string;
        };
        /** @description An identity was changed. `identity` is the identity afterwards. */
        IdentityUpdatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Identity.updated";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            identity: components["schemas"]["NoticedIdentity"];
        };
        /** @description Something went wrong. */
        InternalServerError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "internal_server_error";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 100;
            /**
             * @description For people; its wording may change.
             * @example Something went wrong.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description The app id is not valid. */
        InvalidAppIdError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_app_id";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 2;
            /**
             * @description For people; its wording may change.
             * @example The app id is not valid.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description A header is missing or not valid. */
        InvalidHeaderError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_header";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 107;
            /**
             * @description For people; its wording may change.
             * @example A header is missing or not valid.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
                /**
                 * @description The values that are accepted, where there are only certain ones.
                 * @example [
                 *       "created_at",
                 *       "last_message"
                 *     ]
                 */
                accepted?: string[];
            } | null;
        };
        /** @description The operation is not possible now. */
        InvalidOperationError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_operation";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 9;
            /**
             * @description For people; its wording may change.
             * @example The operation is not possible now.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
                /** @description The greatest number or depth. */
                limit?: number;
            } | null;
        };
        /** @description A property is not valid. */
        InvalidPropertyError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_property";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 105;
            /**
             * @description For people; its wording may change.
             * @example A property is not valid.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
                /**
                 * @description The values that are accepted, where there are only certain ones.
                 * @example [
                 *       "created_at",
                 *       "last_message"
                 *     ]
                 */
                accepted?: string[];
                /**
                 * @description Which rule an identity token breaks.
                 * @example eit_nonce_not_found
                 */
                reason?: string;
            } | null;
        };
        /** @description The request is not of the expected form. */
        InvalidRequestError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_request";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 10;
            /**
             * @description For people; its wording may change.
             * @example The request is not of the expected form.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
                /**
                 * @description The values that are accepted, where there are only certain ones.
                 * @example [
                 *       "created_at",
                 *       "last_message"
                 *     ]
                 */
                accepted?: string[];
                /** @description The line of the first character at fault; line and column are both from 1, in the text as it was sent. */
                line?: number;
                /** @description Its column, in UTF-16 code units. */
                column?: number;
                /** @description The greatest number or depth. */
                limit?: number;
            } | null;
        };
        /** @description The id is neither a UUID nor a URI of the right kind. */
        InvalidRequestIdError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "invalid_request_id";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 3;
            /**
             * @description For people; its wording may change.
             * @example The id is neither a UUID nor a URI of the right kind.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
            } | null;
        };
        /** @description Names the property that is wrong, and why a token is refused. */
        InvalidSessionProperty: {
            /** @example identity_token */
            property: string;
            /**
             * @description Why the identity token is refused. Absent for another property.
             * @enum {string}
             */
            reason?: "eit_claim_not_found" | "eit_claim_wrong_type" | "eit_expired" | "eit_header_param_not_found" | "eit_header_param_wrong_type" | "eit_header_param_wrong_value" | "eit_key_deleted" | "eit_key_disabled" | "eit_key_malformed" | "eit_key_not_found" | "eit_malformed_base64url" | "eit_malformed_json" | "eit_nonce_not_found" | "eit_not_before" | "eit_provider_not_bound_to_app" | "eit_provider_not_found" | "eit_signature_verification_failed" | "eit_user_suspended" | "eit_wrong_jws_part_count";
        };
        /** @description How far the user has read. */
        MarkAllReadInput: {
            position?: number | null;
        };
        /** @description How far the messages of a conversation are marked read. */
        MarkedRead: {
            /** @description Up to which position messages are read now, at most that of the last one. */
            position: number;
        };
        /** @description A message as its reader sees it. */
        Message: {
            /** @description URI of the message. */
            id: string;
            /**
             * Format: uri
             * @description Where the message is read.
             */
            url: string;
            receipts_url: string | null;
            /** @description Number of the message in its conversation: 1 for the first, then without gaps. */
            position: number;
            conversation: components["schemas"]["ConversationReference"];
            /** @description In the order of the sender. */
            parts: components["schemas"]["MessagePart"][];
            /**
             * Format: date-time
             * @description When the message was sent.
             * @example 2026-11-20T20:15:30.123Z
             */
            sent_at: string;
            received_at: string | null;
            /** @description The user or bot who sent it. */
            sender: components["schemas"]["BasicIdentity"] | null;
            is_unread: boolean | null;
            /**
             * @description By the URI of the identity: how far the message has come with each participant, always `read` for its sender. Participants who were added later are not listed.
             * @example {
             *       "svc:///identities/ada": "read",
             *       "svc:///identities/bob": "delivered"
             *     }
             */
            recipient_status: {
                [key: string]: components["schemas"]["RecipientStatus"];
            };
            updated_at: string | null;
            notification?: components["schemas"]["Notification"];
        };
        /** @description Messages of one conversation, none of them scheduled, each with an id of its own. */
        MessageBatch: {
            /**
             * @description The sender: a participant, or any bot. `sender.name` and `sender.user_id` are refused. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            sender_id: string;
            parts: components["schemas"]["PartsInput"];
            notification?: components["schemas"]["NotificationInput"] | null;
            id?: string | null;
            significance?: components["schemas"]["Significance"] | null;
            schedule?: null;
        }[];
        /** @description A message was sent. */
        MessageCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Message.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message: components["schemas"]["Message"];
        };
        /** @description A message was deleted for all participants. `message` is the message before. */
        MessageDeletedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Message.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message: components["schemas"]["Message"];
        };
        /** @description A message to send. Without a notification no push is sent. */
        MessageInput: {
            parts: components["schemas"]["PartsInput"];
            notification?: components["schemas"]["NotificationInput"] | null;
            id?: string | null;
        };
        /** @description One piece of a message: a media type with an inline body, or with a content. */
        MessagePart: {
            /**
             * @description URI of the part.
             * @example svc:///messages/01990000-0000-7000-8000-00000000000d/parts/01990000-0000-7000-8000-00000000000e
             */
            id: string;
            /**
             * Format: uri
             * @description Where the part is read.
             */
            url: string;
            /**
             * Format: uri
             * @description Where the message is read.
             */
            message_url: string;
            /**
             * @description As the sender gave it.
             * @example text/plain
             */
            mime_type: string;
            body: string | null;
            encoding: string | null;
            content: components["schemas"]["Content"] | null;
            updated_at: string | null;
        };
        /** @description A part was added to a message. */
        MessagePartCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "MessagePart.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message_part: components["schemas"]["MessagePart"];
            message: components["schemas"]["MessageReference"];
        };
        /** @description A part of a message was removed. */
        MessagePartDeletedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "MessagePart.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message_part: components["schemas"]["DeletedMessagePart"];
            message: components["schemas"]["MessageReference"];
        };
        /** @description A part of a message was changed. */
        MessagePartUpdatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "MessagePart.updated";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message_part: components["schemas"]["MessagePart"];
            message: components["schemas"]["MessageReference"];
        };
        /** @description Names one of the messages without showing it. */
        MessageReference: {
            /** @description URI of the record. */
            id: string;
            /**
             * Format: uri
             * @description Where the record is read.
             */
            url: string;
        };
        /** @description Parts of a message were added, changed or removed. `message` is the message afterwards; each part has a notice of its own. */
        MessageUpdatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Message.updated";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            message: components["schemas"]["Message"];
        };
        /**
         * @description Nested objects with texts as leaves: at most 2048 bytes as JSON, and 24 levels.
         * @example {
         *       "topic": "engines",
         *       "colours": {
         *         "background": "#fff"
         *       }
         *     }
         */
        Metadata: {
            [key: string]: string | components["schemas"]["Metadata"];
        };
        /** @description A required property is missing. */
        MissingPropertyError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "missing_property";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 104;
            /**
             * @description For people; its wording may change.
             * @example A required property is missing.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
                /**
                 * @description The header.
                 * @example Accept
                 */
                header?: string;
            } | null;
        };
        Nonce: {
            /** @description Belongs into the claim `nce`, unchanged. Valid for one login within 10 minutes. */
            nonce: string;
        };
        /** @description There is no such object. */
        NotFoundError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "not_found";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 102;
            /**
             * @description For people; its wording may change.
             * @example There is no such object.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description What is missing.
                 * @example conversation
                 */
                kind?: string;
                id?: string | null;
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
            } | null;
        };
        /** @description An identity, but metadata that is too large for an event is left out. */
        NoticedIdentity: {
            /**
             * @description URI of the identity.
             * @example svc:///identities/ada
             */
            id: string;
            /**
             * Format: uri
             * @description Where the identity is read.
             */
            url: string;
            /**
             * @description The id that the application gave the user.
             * @example ada
             */
            user_id: string;
            display_name: string | null;
            avatar_url: string | null;
            /**
             * @description A person, or a program.
             * @enum {string}
             */
            type: "User" | "Bot";
            /**
             * @description The same as `type`.
             * @enum {string}
             */
            identity_type: "user" | "bot";
            first_name: string | null;
            last_name: string | null;
            phone_number: string | null;
            email_address: string | null;
            public_key: string | null;
            presence: components["schemas"]["Presence"];
            /**
             * @description The application's own properties of the user.
             * @example {
             *       "team": "analysis"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description What devices show for a message. */
        Notification: {
            title: string | null;
            text: string | null;
            sound: string | null;
        };
        /** @description What devices show; each text has at most 2048 characters. A badge cannot be given: it is counted for each user. */
        NotificationInput: {
            title?: string | null;
            text?: string | null;
            sound?: string | null;
        };
        /** @description A push without a message. */
        NotificationRequest: {
            /** @description Whom to notify, at most 10000 users. Users without devices are skipped. */
            recipients: string[];
            notification: components["schemas"]["NotificationInput"];
        };
        /** @description The object was deleted. */
        ObjectDeletedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "object_deleted";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 103;
            /**
             * @description For people; its wording may change.
             * @example The object was deleted.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description A part to send: with a text, with bytes, or with a content. */
        PartInput: components["schemas"]["TextPartInput"] | components["schemas"]["Base64PartInput"] | components["schemas"]["ContentPartInput"];
        /** @description A participant blocks the user. */
        ParticipantBlockedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "participant_blocked";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 110;
            /**
             * @description For people; its wording may change.
             * @example A participant blocks the user.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The property, such as `parts.0.body`.
                 * @example parts.0.body
                 */
                property?: string;
            } | null;
        };
        /** @description Users were added to a conversation. */
        ParticipationCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Participation.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            /** @description The users who came, or went. */
            changes: components["schemas"]["BasicIdentity"][];
            conversation: components["schemas"]["ConversationReference"];
        };
        /** @description Users left a conversation or were removed. */
        ParticipationDeletedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Participation.deleted";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            /** @description The users who came, or went. */
            changes: components["schemas"]["BasicIdentity"][];
            conversation: components["schemas"]["ConversationReference"];
        };
        /** @description All parts of a message, together at most 900000 bytes. */
        PartsInput: components["schemas"]["PartInput"][];
        /** @description The caller lacks the permission. */
        PermissionDeniedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "permission_denied";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 999;
            /**
             * @description For people; its wording may change.
             * @example The caller lacks the permission.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description Whether a user is there. */
        Presence: {
            status: components["schemas"]["PresenceStatus"];
            last_seen_at: string | null;
        };
        /** @description What the user wants to appear as. */
        PresenceInput: {
            /**
             * @description The choice is kept across connections; `auto` ends it: available while connected, else offline.
             * @enum {string}
             */
            status: "available" | "away" | "busy" | "offline" | "invisible" | "auto";
        };
        /**
         * @description What a user appears as. Only the user themselves ever sees `invisible`.
         * @enum {string}
         */
        PresenceStatus: "available" | "away" | "busy" | "offline" | "invisible";
        /** @description Where pushes to a device go. Further properties are kept for the program that sends the pushes, at most 4096 bytes as JSON. */
        PushTokenInput: {
            /** @description The token that the push service gave the device, at most 4096 bytes of UTF-8. */
            token: string;
            /**
             * @description The push service.
             * @enum {string}
             */
            type: "apns" | "fcm" | "gcm" | "web";
            /** @description Names the device; a device has one token of the user. */
            device_id: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Too many requests. */
        RateLimitExceededError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "rate_limit_exceeded";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 7;
            /**
             * @description For people; its wording may change.
             * @example Too many requests.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /**
                 * @description The exhausted limit.
                 * @example session
                 */
                policy?: string;
                /** @description Seconds after which another attempt may succeed; also in `Retry-After`. */
                retry_after_seconds?: number;
            } | null;
        };
        /** @description A confirmation by a participant, the actor. */
        Receipt: {
            /**
             * @description What the participant confirms.
             * @enum {string}
             */
            type: "Read" | "Delivery";
            /** @description Which messages of the conversation. */
            positions: {
                /** @description Position of the message. */
                from: number;
                /** @description The same position: each message has a notice of its own. */
                to: number;
            };
        };
        /** @description A message was delivered, or read. */
        ReceiptCreatedNotice: {
            /** @description Which event this is. */
            event: {
                /**
                 * @description Bare UUID of the event, the same in every webhook, archive and retry.
                 * @example 01990000-0000-7000-8000-000000000014
                 */
                id: string;
                /**
                 * @description What happened.
                 * @enum {string}
                 */
                type: "Receipt.created";
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2026-11-20T20:15:30.123Z
                 */
                created_at: string;
            };
            /** @description Who did it; null when a server or the platform did. */
            actor: components["schemas"]["BasicIdentity"] | null;
            /** @description The `config` of the webhook; left out when it has none. */
            config?: {
                [key: string]: unknown;
            };
            receipt: components["schemas"]["Receipt"];
            message: components["schemas"]["MessageReference"];
            conversation: components["schemas"]["ConversationReference"];
        };
        /** @description What became of a message or an announcement on its way to the user. */
        ReceiptInput: {
            /**
             * @description A message that is read was delivered, too.
             * @enum {string}
             */
            type: "read" | "delivery";
        };
        /**
         * @description How far a message has come with one participant.
         * @enum {string}
         */
        RecipientStatus: "sent" | "delivered" | "read";
        /** @description What a replay found. */
        ReplayCount: {
            /** @description Deliveries that are sent again. */
            count: number;
        };
        /** @description The deliveries to send again. */
        ReplayInput: {
            /**
             * Format: date-time
             * @description Deliveries of events from this moment on; ISO 8601 with a time zone.
             * @example 2026-11-20T20:15:30.123Z
             */
            from: string;
            until?: string | null;
            status?: ("dead" | "delivered") | null;
        };
        /** @description The request body is too large. */
        RequestEntityTooLargeError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "request_entity_too_large";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 11;
            /**
             * @description For people; its wording may change.
             * @example The request body is too large.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description The request took too long. */
        RequestTimeoutError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "request_timeout";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 8;
            /**
             * @description For people; its wording may change.
             * @example The request took too long.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description When a message is sent. */
        Schedule: {
            /** @description After how long the message is sent. */
            delay_in_seconds: number;
            typing_indicator_in_seconds?: number | null;
        };
        /** @description The file `export.json` of a scheduled export. */
        ScheduledArchive: {
            /** @description In the order of time; each event is in one archive. */
            events: components["schemas"]["ExportEvent"][];
        };
        /** @description A message that is accepted and not sent yet. It is dropped when its conversation is deleted or its sender removed before. */
        ScheduledMessage: {
            /** @description URI that the message has once it is sent. */
            id: string;
            /**
             * Format: uri
             * @description Where the scheduled message is read, until it is sent.
             */
            url: string;
            conversation: components["schemas"]["ConversationReference"];
            sender: components["schemas"]["BasicIdentity"] | null;
            parts: components["schemas"]["MessagePart"][];
            notification: components["schemas"]["Notification"] | null;
            /**
             * Format: date-time
             * @description When the platform accepted it.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is sent.
             * @example 2026-11-20T20:15:30.123Z
             */
            send_at: string;
            typing_indicator_at: string | null;
        };
        /** @description The new secret; made when it is left out. */
        SecretInput: {
            secret?: string | null;
        };
        /** @description A message that a server sends in the name of a user or a bot. */
        ServerMessageInput: {
            /**
             * @description The sender: a participant, or any bot. `sender.name` and `sender.user_id` are refused. The URI of the identity or the bare user id.
             * @example ada
             * @example svc:///identities/bob
             */
            sender_id: string;
            parts: components["schemas"]["PartsInput"];
            notification?: components["schemas"]["NotificationInput"] | null;
            id?: string | null;
            significance?: components["schemas"]["Significance"] | null;
            schedule?: components["schemas"]["Schedule"] | null;
        };
        /** @description The service is unavailable at the moment. */
        ServiceUnavailableError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "service_unavailable";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 1;
            /**
             * @description For people; its wording may change.
             * @example The service is unavailable at the moment.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: {
                /** @description Seconds after which another attempt may succeed; also in `Retry-After`. */
                retry_after_seconds?: number;
            } | null;
        };
        Session: {
            /** @description Goes into the Authorization header of every request: `Svc session-token="…"`. */
            session_token: string;
        };
        SessionInput: {
            /**
             * @description URI of the app with its environment.
             * @example svc:///apps/production/01990000-0000-7000-8000-000000000001
             */
            app_id: string;
            /** @description A JSON Web Token that the application's login backend has signed: an `IdentityTokenHeader` and `IdentityTokenClaims`. */
            identity_token: string;
        };
        /** @description Replaces all metadata. */
        SetMetadata: {
            /** @constant */
            operation: "set";
            /** @constant */
            property: "metadata";
            value: components["schemas"]["Metadata"];
        };
        /** @description Sets a key of the metadata. Objects that are missing on its path are made. */
        SetMetadataKey: {
            /** @constant */
            operation: "set";
            /**
             * @description A path into the metadata such as `metadata.colours.background`; a dot within a key is written `\.`.
             * @example metadata.topic
             */
            property: string;
            value: string | components["schemas"]["Metadata"];
        };
        /** @description Replaces all participants. The conversation is not distinct any more. */
        SetParticipants: {
            /** @constant */
            operation: "set";
            /** @constant */
            property: "participants";
            value: string[];
        };
        /** @description How much a message matters to its recipients; `normal` to all when left out. */
        Significance: {
            default?: ("normal" | "low") | null;
            recipients?: {
                [key: string]: "normal" | "low";
            } | null;
        };
        /** @description Suspends a user, or ends the suspension. */
        SuspensionStep: {
            /**
             * @description Gives the property a value.
             * @enum {string}
             */
            operation: "set";
            /**
             * @description Whether the user is suspended.
             * @enum {string}
             */
            property: "suspended";
            /** @description True suspends the user and ends their sessions; false lets them back. */
            value: boolean;
        };
        /** @description A part with a text. */
        TextPartInput: {
            id?: string | null;
            /**
             * @description Media type; kept as it is, with its parameters.
             * @example text/plain
             */
            mime_type: string;
            /** @description At most `inline_body_bytes` of the app, by default 2048 bytes of UTF-8. */
            body: string;
            encoding?: null;
            content?: null;
        };
        /** @description A user as the servers of the app see them. */
        User: {
            identity: components["schemas"]["Identity"];
            /** @description Whether the user is kept from logging in and acting. */
            suspended: boolean;
        };
        /** @description The user is suspended. */
        UserSuspendedError: {
            /**
             * @description The kind of error; programs decide by it.
             * @enum {string}
             */
            id: "user_suspended";
            /**
             * @description The number that stands for `id`.
             * @enum {integer}
             */
            code: 6;
            /**
             * @description For people; its wording may change.
             * @example The user is suspended.
             */
            message: string;
            /**
             * Format: uri
             * @description Explains the error.
             */
            url: string;
            data: Record<string, never> | null;
        };
        /** @description A registered target of events. Its secret is never shown. */
        Webhook: {
            /**
             * @description URI of the webhook.
             * @example svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011
             */
            id: string;
            /**
             * Format: uri
             * @description Where the webhook is read.
             */
            url: string;
            /**
             * @description Version of the notices.
             * @example 3.0
             */
            version: string;
            /** @description Where notices go. */
            target_url: string;
            events: components["schemas"]["WebhookEventName"][];
            /**
             * @description Notices are sent while it is `active`; `unverified` waits for the target to echo a challenge.
             * @enum {string}
             */
            status: "unverified" | "active" | "inactive";
            status_reason: string | null;
            config: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the webhook was registered.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
        };
        /** @description The properties to change; what is left out or null stays, but null removes `config`. */
        WebhookChanges: {
            target_url?: string | null;
            events?: components["schemas"]["WebhookEventName"][] | null;
            secret?: string | null;
            config?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        WebhookEventName: "Message.created" | "Message.updated" | "Message.deleted" | "MessagePart.created" | "MessagePart.updated" | "MessagePart.deleted" | "Receipt.created" | "Conversation.created" | "Conversation.updated" | "Conversation.deleted" | "Participation.created" | "Participation.deleted" | "Identity.created" | "Identity.updated";
        /** @description A webhook to register. */
        WebhookInput: {
            /**
             * @description Version of the notices.
             * @enum {string}
             */
            version: "3.0";
            /**
             * Format: uri
             * @description Where notices go: an HTTPS address of the public internet without credentials.
             * @example https://app.example.com/notices
             * @example https://hooks.example.com:8443/chat?app=1
             */
            target_url: string;
            /** @description The events to be notified of. */
            events: components["schemas"]["WebhookEventName"][];
            /** @description The key of the signatures, kept secret by both sides. After `whsec_` the rest is base64 of the key. */
            secret: string;
            config?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A webhook right after its secret was rotated. */
        WebhookWithSecret: {
            /**
             * @description URI of the webhook.
             * @example svc:///apps/01990000-0000-7000-8000-000000000001/webhooks/01990000-0000-7000-8000-000000000011
             */
            id: string;
            /**
             * Format: uri
             * @description Where the webhook is read.
             */
            url: string;
            /**
             * @description Version of the notices.
             * @example 3.0
             */
            version: string;
            /** @description Where notices go. */
            target_url: string;
            events: components["schemas"]["WebhookEventName"][];
            /**
             * @description Notices are sent while it is `active`; `unverified` waits for the target to echo a challenge.
             * @enum {string}
             */
            status: "unverified" | "active" | "inactive";
            status_reason: string | null;
            config: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the webhook was registered.
             * @example 2026-11-20T20:15:30.123Z
             */
            created_at: string;
            /** @description The new secret, shown this once. */
            secret: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessDeniedError = components['schemas']['AccessDeniedError'];
export type Announcement = components['schemas']['Announcement'];
export type AnnouncementInput = components['schemas']['AnnouncementInput'];
export type AnnouncementPart = components['schemas']['AnnouncementPart'];
export type AppSettingStep = components['schemas']['AppSettingStep'];
export type AppSuspendedError = components['schemas']['AppSuspendedError'];
export type AuthenticationRequiredError = components['schemas']['AuthenticationRequiredError'];
export type AuthenticationRequiredErrorWithNonce = components['schemas']['AuthenticationRequiredErrorWithNonce'];
export type Badge = components['schemas']['Badge'];
export type BadgeInput = components['schemas']['BadgeInput'];
export type Base64PartInput = components['schemas']['Base64PartInput'];
export type BasicIdentity = components['schemas']['BasicIdentity'];
export type BlockStep = components['schemas']['BlockStep'];
export type ChangeParticipant = components['schemas']['ChangeParticipant'];
export type ConflictError = components['schemas']['ConflictError'];
export type Content = components['schemas']['Content'];
export type ContentPartInput = components['schemas']['ContentPartInput'];
export type Conversation = components['schemas']['Conversation'];
export type ConversationCreatedNotice = components['schemas']['ConversationCreatedNotice'];
export type ConversationDeletedNotice = components['schemas']['ConversationDeletedNotice'];
export type ConversationInput = components['schemas']['ConversationInput'];
export type ConversationPatch = components['schemas']['ConversationPatch'];
export type ConversationReference = components['schemas']['ConversationReference'];
export type ConversationUpdatedNotice = components['schemas']['ConversationUpdatedNotice'];
export type DeleteMetadata = components['schemas']['DeleteMetadata'];
export type DeleteMetadataKey = components['schemas']['DeleteMetadataKey'];
export type DeletedMessagePart = components['schemas']['DeletedMessagePart'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type DeliveryWithAttempts = components['schemas']['DeliveryWithAttempts'];
export type Export = components['schemas']['Export'];
export type ExportEvent = components['schemas']['ExportEvent'];
export type ExportEventName = components['schemas']['ExportEventName'];
export type ExportKey = components['schemas']['ExportKey'];
export type ExportKeyInput = components['schemas']['ExportKeyInput'];
export type ExportScheduleInput = components['schemas']['ExportScheduleInput'];
export type ExportSettings = components['schemas']['ExportSettings'];
export type HistoricalArchive = components['schemas']['HistoricalArchive'];
export type Identity = components['schemas']['Identity'];
export type IdentityChanges = components['schemas']['IdentityChanges'];
export type IdentityCreatedNotice = components['schemas']['IdentityCreatedNotice'];
export type IdentityInput = components['schemas']['IdentityInput'];
export type IdentityStep = components['schemas']['IdentityStep'];
export type IdentityTokenClaims = components['schemas']['IdentityTokenClaims'];
export type IdentityTokenHeader = components['schemas']['IdentityTokenHeader'];
export type IdentityUpdatedNotice = components['schemas']['IdentityUpdatedNotice'];
export type InternalServerError = components['schemas']['InternalServerError'];
export type InvalidAppIdError = components['schemas']['InvalidAppIdError'];
export type InvalidHeaderError = components['schemas']['InvalidHeaderError'];
export type InvalidOperationError = components['schemas']['InvalidOperationError'];
export type InvalidPropertyError = components['schemas']['InvalidPropertyError'];
export type InvalidRequestError = components['schemas']['InvalidRequestError'];
export type InvalidRequestIdError = components['schemas']['InvalidRequestIdError'];
export type InvalidSessionProperty = components['schemas']['InvalidSessionProperty'];
export type MarkAllReadInput = components['schemas']['MarkAllReadInput'];
export type MarkedRead = components['schemas']['MarkedRead'];
export type Message = components['schemas']['Message'];
export type MessageBatch = components['schemas']['MessageBatch'];
export type MessageCreatedNotice = components['schemas']['MessageCreatedNotice'];
export type MessageDeletedNotice = components['schemas']['MessageDeletedNotice'];
export type MessageInput = components['schemas']['MessageInput'];
export type MessagePart = components['schemas']['MessagePart'];
export type MessagePartCreatedNotice = components['schemas']['MessagePartCreatedNotice'];
export type MessagePartDeletedNotice = components['schemas']['MessagePartDeletedNotice'];
export type MessagePartUpdatedNotice = components['schemas']['MessagePartUpdatedNotice'];
export type MessageReference = components['schemas']['MessageReference'];
export type MessageUpdatedNotice = components['schemas']['MessageUpdatedNotice'];
export type Metadata = components['schemas']['Metadata'];
export type MissingPropertyError = components['schemas']['MissingPropertyError'];
export type Nonce = components['schemas']['Nonce'];
export type NotFoundError = components['schemas']['NotFoundError'];
export type NoticedIdentity = components['schemas']['NoticedIdentity'];
export type Notification = components['schemas']['Notification'];
export type NotificationInput = components['schemas']['NotificationInput'];
export type NotificationRequest = components['schemas']['NotificationRequest'];
export type ObjectDeletedError = components['schemas']['ObjectDeletedError'];
export type PartInput = components['schemas']['PartInput'];
export type ParticipantBlockedError = components['schemas']['ParticipantBlockedError'];
export type ParticipationCreatedNotice = components['schemas']['ParticipationCreatedNotice'];
export type ParticipationDeletedNotice = components['schemas']['ParticipationDeletedNotice'];
export type PartsInput = components['schemas']['PartsInput'];
export type PermissionDeniedError = components['schemas']['PermissionDeniedError'];
export type Presence = components['schemas']['Presence'];
export type PresenceInput = components['schemas']['PresenceInput'];
export type PresenceStatus = components['schemas']['PresenceStatus'];
export type PushTokenInput = components['schemas']['PushTokenInput'];
export type RateLimitExceededError = components['schemas']['RateLimitExceededError'];
export type Receipt = components['schemas']['Receipt'];
export type ReceiptCreatedNotice = components['schemas']['ReceiptCreatedNotice'];
export type ReceiptInput = components['schemas']['ReceiptInput'];
export type RecipientStatus = components['schemas']['RecipientStatus'];
export type ReplayCount = components['schemas']['ReplayCount'];
export type ReplayInput = components['schemas']['ReplayInput'];
export type RequestEntityTooLargeError = components['schemas']['RequestEntityTooLargeError'];
export type RequestTimeoutError = components['schemas']['RequestTimeoutError'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduledArchive = components['schemas']['ScheduledArchive'];
export type ScheduledMessage = components['schemas']['ScheduledMessage'];
export type SecretInput = components['schemas']['SecretInput'];
export type ServerMessageInput = components['schemas']['ServerMessageInput'];
export type ServiceUnavailableError = components['schemas']['ServiceUnavailableError'];
export type Session = components['schemas']['Session'];
export type SessionInput = components['schemas']['SessionInput'];
export type SetMetadata = components['schemas']['SetMetadata'];
export type SetMetadataKey = components['schemas']['SetMetadataKey'];
export type SetParticipants = components['schemas']['SetParticipants'];
export type Significance = components['schemas']['Significance'];
export type SuspensionStep = components['schemas']['SuspensionStep'];
export type TextPartInput = components['schemas']['TextPartInput'];
export type User = components['schemas']['User'];
export type UserSuspendedError = components['schemas']['UserSuspendedError'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookChanges = components['schemas']['WebhookChanges'];
export type WebhookEventName = components['schemas']['WebhookEventName'];
export type WebhookInput = components['schemas']['WebhookInput'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
