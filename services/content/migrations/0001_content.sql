-- Uploads, and what became of them. `status`: 1 uploading, 2 uploaded, 3 cancelled by its owner, 4 expired, 5 no longer
-- referred to. From 3 on nothing of it may be shown, and its bytes go from the store; the row stays for a while, so that
-- the upload's address answers that it is gone.
create table content (
  app_id uuid not null,
  id uuid not null,
  status smallint not null default 1,
  user_id text collate "C",
  by_server boolean not null,
  conversation_id uuid,
  size bigint not null,
  content_type text not null,
  origin text,
  -- SHA-256 of the capability in the upload's address.
  token_hash bytea not null unique,
  created_at timestamptz not null,
  -- When the upload last moved.
  active_at timestamptz not null,
  -- So many bytes, from the first on, are in the store for good.
  stored bigint not null default 0,
  -- The store's own name of the upload; null until the first byte.
  store_upload_id text,
  next_part integer not null default 1,
  -- Who may append; by this database's clock, as replicas compare it.
  lease_id uuid,
  lease_until timestamptz,
  uploaded_at timestamptz,
  -- Since when no message refers to it; null while one does.
  unreferenced_since timestamptz,
  ended_at timestamptz,
  purged_at timestamptz,
  primary key (app_id, id)
);
create index content_under_way on content (app_id, user_id, active_at) where status = 1;
create index content_to_expire on content (created_at) where status = 1;
create index content_to_collect on content (unreferenced_since) where status = 2;
create index content_to_purge on content (ended_at) where status > 2 and purged_at is null;
create index content_to_forget on content (purged_at) where purged_at is not null;

-- What the store holds of an upload, in the order of `start`.
create table content_part (
  app_id uuid not null,
  content_id uuid not null,
  start bigint not null,
  number integer not null,
  size bigint not null,
  tag text not null,
  staged boolean not null,
  primary key (app_id, content_id, start)
);
create index content_part_staged on content_part (app_id, content_id) where staged;

-- Messages that refer to content, or did. `seq` is the conversation's change number of the newest event that was heard
-- of the message: older ones, which may come late, change nothing.
create table content_message (
  app_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  sender_id text collate "C" not null,
  seq bigint not null default 0,
  claimed_at timestamptz not null,
  -- Whether the message is known to have come to be.
  confirmed boolean not null default false,
  deleted_at timestamptz,
  primary key (app_id, id)
);
create index content_message_by_conversation on content_message (app_id, conversation_id);
create index content_message_by_sender on content_message (app_id, sender_id);
create index content_message_to_confirm on content_message (claimed_at) where not confirmed and deleted_at is null;
create index content_message_to_forget on content_message (deleted_at) where deleted_at is not null;

create table content_reference (
  app_id uuid not null,
  content_id uuid not null,
  message_id uuid not null,
  primary key (app_id, content_id, message_id)
);
create index content_reference_by_message on content_reference (app_id, message_id);

create table consumed_event (
  consumer text not null,
  event_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index consumed_event_at on consumed_event using brin (at);
create table dead_letter (
  consumer text not null,
  event_id text not null,
  subject text not null,
  payload bytea not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
