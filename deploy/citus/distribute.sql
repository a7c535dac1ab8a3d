-- How the tables of each service are spread over the nodes of a Citus cluster: by application. Run it with psql as the owner of the
-- databases, after the migrations and before the processes start; `citus` and the nodes are set up in each database before
-- (create extension, citus_set_coordinator_host, citus_add_node). After an upgrade run it again without ON_ERROR_STOP: Citus
-- refuses the tables that it has distributed already, and takes the new ones. Processes connect to the coordinator alone.
--
-- Distributed: rows that belong to one application, in shards by the hash of app_id. All tables of a database are co-located, so
-- that the rows of one application are on one node. Reference: small tables that are read beside rows of any application and
-- seldom written; each node has a copy. Local: what has no application, or is ordered or leased across applications; it stays on the
-- coordinator as a plain table.
--
-- docs/scaling.md#many-postgres-servers-with-citus says what follows. It has never been run on Citus.

\connect parley_identity
-- Looked up by an id or a secret before the application is known, and joined to the rows of all applications.
select create_reference_table('app');
select create_reference_table('provider');
select create_reference_table('provider_key');
select create_reference_table('access_token');

-- Users and what belongs to them. Each statement is about users of one application.
select create_distributed_table('identity', 'app_id', colocate_with => 'none');
select create_distributed_table('badge', 'app_id', colocate_with => 'identity');
select create_distributed_table('block', 'app_id', colocate_with => 'identity');
select create_distributed_table('departure', 'app_id', colocate_with => 'identity');
select create_distributed_table('follow', 'app_id', colocate_with => 'identity');
select create_distributed_table('following_stamp', 'app_id', colocate_with => 'identity');
select create_distributed_table('idempotency_key', 'app_id', colocate_with => 'identity');
select create_distributed_table('identity_change', 'app_id', colocate_with => 'identity');
select create_distributed_table('membership', 'app_id', colocate_with => 'identity');
select create_distributed_table('presence', 'app_id', colocate_with => 'identity');
select create_distributed_table('presence_hold', 'app_id', colocate_with => 'identity');
select create_distributed_table('push_token', 'app_id', colocate_with => 'identity');

-- Sessions are looked up by their secret before the application is known, so their unique keys cannot have it.
-- local: session
-- Revocations are read in the order of transaction ids, which only one server's are.
-- local: revocation, revocation_horizon
-- Work queues: the next item of the next application is leased, a lock across applications that Citus takes on one node only.
-- local: app_removal, follow_request, follower_notice
-- Bytes of idempotency keys are read and added to apart from the keys, a row for each application and hour.
-- local: idempotency_usage
-- Figures of all applications are counted in one transaction with the batch of the process that they come from.
-- local: figure, figure_process
-- Acts of operators and their sign-in, which mostly belong to no application.
-- local: audit_entry, automation_token, console_session, journal_entry, sign_in_code
-- One-time values that are checked before the application is.
-- local: used_nonce
-- Processes, events between services, and repeats of requests, recorded by their ids without an application.
-- local: consumed_event, database_epoch, dead_letter, event_log, filled_stream, milestone, outbox, outbox_dead_letter, performed_operation, presence_gateway, published_mark, recent_event
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_messaging
-- They mend what processes of release 0.1.0 write, of which none may run on such a cluster; Citus distributes no table with triggers.
drop trigger if exists continue_erasure on erasure;
drop trigger if exists keep_participation_erased on participant;
drop trigger if exists delete_message_versions on message;
-- Conversations and all that is in them. A send, a receipt and a page touch one conversation, so one shard. The change log keeps its
-- partitions by day; each shard has its own.
select create_distributed_table('conversation', 'app_id', colocate_with => 'none');
select create_distributed_table('conversation_block', 'app_id', colocate_with => 'conversation');
select create_distributed_table('conversation_count', 'app_id', colocate_with => 'conversation');
select create_distributed_table('change', 'app_id', colocate_with => 'conversation');
select create_distributed_table('message', 'app_id', colocate_with => 'conversation');
select create_distributed_table('message_version', 'app_id', colocate_with => 'conversation');
select create_distributed_table('participant', 'app_id', colocate_with => 'conversation');
select create_distributed_table('participant_block', 'app_id', colocate_with => 'conversation');
select create_distributed_table('hidden_unread', 'app_id', colocate_with => 'conversation');
select create_distributed_table('list_place', 'app_id', colocate_with => 'conversation');
select create_distributed_table('page_end', 'app_id', colocate_with => 'conversation');
select create_distributed_table('gone_item', 'app_id', colocate_with => 'conversation');
select create_distributed_table('outside_sender', 'app_id', colocate_with => 'conversation');
select create_distributed_table('scheduled_message', 'app_id', colocate_with => 'conversation');
select create_distributed_table('export_cut', 'app_id', colocate_with => 'conversation');
-- Copies of what identity owns, joined to the above.
select create_distributed_table('identity_copy', 'app_id', colocate_with => 'conversation');
select create_distributed_table('block_copy', 'app_id', colocate_with => 'conversation');
select create_distributed_table('block_erasure', 'app_id', colocate_with => 'conversation');
select create_distributed_table('block_version', 'app_id', colocate_with => 'conversation');

-- Work queues, leased across applications.
-- local: app_removal, erasure, push_order
-- Its versions are transaction ids, which only one server's are.
-- local: event_interest
-- The log as a whole, processes, events between services, and repeats of requests: without an application.
-- local: change_horizon, consumed_event, database_epoch, dead_letter, filled_stream, live_publisher, milestone, outbox, outbox_dead_letter, performed_operation, published_mark, recent_event
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_announcement
-- Announcements, and the list of each recipient.
select create_distributed_table('received', 'app_id', colocate_with => 'none');
select create_distributed_table('announcement', 'app_id', colocate_with => 'received');
select create_distributed_table('erased_user', 'app_id', colocate_with => 'received');
select create_distributed_table('inbox', 'app_id', colocate_with => 'received');

-- Work queues, leased across applications.
-- local: app_removal, erasure, fan_out
-- Events between services, recorded by their ids without an application.
-- local: consumed_event, database_epoch, dead_letter, event_log, filled_stream, milestone, outbox, outbox_dead_letter, published_mark, recent_event
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_content
-- An upload is looked up by its secret alone. The secret has 256 random bits, so it is unique with the application too.
alter table content drop constraint if exists content_token_hash_key;
alter table content add constraint content_token_hash_key unique (app_id, token_hash);
create index if not exists content_by_token on content (token_hash);

-- Uploads and the messages that refer to them.
select create_distributed_table('content', 'app_id', colocate_with => 'none');
select create_distributed_table('content_message', 'app_id', colocate_with => 'content');
select create_distributed_table('content_part', 'app_id', colocate_with => 'content');
select create_distributed_table('content_usage', 'app_id', colocate_with => 'content');
select create_distributed_table('content_reference', 'app_id', colocate_with => 'content');

-- Work queues, leased across applications.
-- local: app_removal, deleted_app, deleted_conversation, erasure
-- Events between services, recorded by their ids without an application.
-- local: consumed_event, dead_letter
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_export
-- Exports and the journals that they are made of.
select create_distributed_table('journal', 'app_id', colocate_with => 'none');
select create_distributed_table('erased_person', 'app_id', colocate_with => 'journal');
select create_distributed_table('export', 'app_id', colocate_with => 'journal');
select create_distributed_table('export_key', 'app_id', colocate_with => 'journal');
select create_distributed_table('export_schedule', 'app_id', colocate_with => 'journal');
select create_distributed_table('historical_request', 'app_id', colocate_with => 'journal');
select create_distributed_table('journal_head', 'app_id', colocate_with => 'journal');

-- A work queue, leased across applications.
-- local: app_removal
-- The blobs in the store, by their keys there.
-- local: export_blob
-- Events between services, recorded by their ids without an application.
-- local: consumed_event, dead_letter
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_webhook
-- Webhooks, and the deliveries to them.
select create_distributed_table('delivery', 'app_id', colocate_with => 'none');
select create_distributed_table('delivery_count', 'app_id', colocate_with => 'delivery');
select create_distributed_table('erased_user', 'app_id', colocate_with => 'delivery');
select create_distributed_table('gone_item', 'app_id', colocate_with => 'delivery');
select create_distributed_table('notice', 'app_id', colocate_with => 'delivery');
select create_distributed_table('removed_webhook', 'app_id', colocate_with => 'delivery');
select create_distributed_table('webhook', 'app_id', colocate_with => 'delivery');

-- Work queues, leased across applications.
-- local: app_removal, erasure, expansion
-- Processes, events between services, and repeats of requests: without an application.
-- local: consumed_event, dead_letter, performed_operation, worker
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration

\connect parley_push
-- Keys towards the push services, and the deliveries to devices.
select create_distributed_table('delivery', 'app_id', colocate_with => 'none');
select create_distributed_table('credentials', 'app_id', colocate_with => 'delivery');
select create_distributed_table('erased_user', 'app_id', colocate_with => 'delivery');
select create_distributed_table('gone_item', 'app_id', colocate_with => 'delivery');
select create_distributed_table('push_settings', 'app_id', colocate_with => 'delivery');
select create_distributed_table('vapid_key', 'app_id', colocate_with => 'delivery');

-- Work queues, leased across applications.
-- local: app_removal, erasure
-- Processes, and events between services: without an application.
-- local: consumed_event, dead_letter, filled_stream, milestone, outbox, outbox_dead_letter, published_mark, recent_event, worker
-- Deleted applications, a small row for each, which consumers check for the events of many applications at once.
-- local: app_tombstone
-- Which migrations were applied.
-- local: schema_migration
