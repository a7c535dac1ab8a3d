-- Copies of what identity owns, kept by its events and fetched when missing.
create table identity_copy (
  app_id uuid not null,
  user_id text not null,
  display_name text,
  avatar_url text,
  is_bot boolean not null default false,
  version double precision not null,
  deleted boolean not null default false,
  primary key (app_id, user_id)
);

-- Who blocks whom; read by the blocked one, since that is who sends.
create table block_copy (
  app_id uuid not null,
  blocked_user_id text not null,
  owner_user_id text not null,
  primary key (app_id, blocked_user_id, owner_user_id)
);

create table conversation (
  app_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  created_by text,
  request_id uuid,
  -- Hash of the sorted user ids of a distinct conversation; null when it is not, or no longer, distinct, or deleted.
  distinct_key bytea,
  -- `json`, since it takes an escaped NUL where `jsonb` does not.
  metadata json not null,
  -- Number of the last change, and of the last one that changed the participants.
  seq bigint not null default 0,
  members_seq bigint not null default 0,
  -- Position of the last message; 0: none yet.
  head bigint not null default 0,
  -- How many positions are of low significance or deleted, and how many are deleted.
  excluded_count bigint not null default 0,
  deleted_count bigint not null default 0,
  -- Of the newest message that is not deleted, else of the creation.
  last_message_at timestamptz not null,
  changed_at timestamptz not null,
  -- Bit n: some present participant's user id hashes to virtual shard n of 64.
  audience_shards bit(64) not null default b'0'::bit(64),
  deleted_at timestamptz,
  primary key (app_id, id)
);
create unique index conversation_distinct on conversation (app_id, distinct_key) where distinct_key is not null;
create index conversation_by_creation on conversation (app_id, created_at desc, id desc) where deleted_at is null;

-- Append-only deltas of an app's number of conversations, so that creations of one app do not queue for one row; a
-- timer folds them.
create table conversation_count (
  app_id uuid not null,
  delta bigint not null
);
create index conversation_count_by_app on conversation_count (app_id) include (delta);

-- Somebody who takes part, or took part, in a conversation.
create table participant (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  -- Positions sent while they took part; open-ended while they do.
  member int8multirange not null,
  joined_seq bigint not null,
  -- Null while they take part.
  left_seq bigint,
  -- What the head was when they left: the last position they may see. Null while they take part.
  left_head bigint,
  -- What the conversation's last_message_at was when they left, which orders it in their list from then on.
  left_message_at timestamptz,
  -- Change numbers that this user is told of: a range for each period, from the joining to the leaving.
  owed int8multirange not null,
  -- Everything up to here is read, own, deleted, or hidden before it was read (then a bit says that it is hidden, and
  -- none that it is read).
  read_until bigint not null default 0,
  delivered_until bigint not null default 0,
  -- Everything up to here is deleted on this user's devices.
  hidden_until bigint not null default 0,
  -- Positions beyond max(read_until, hidden_until), in `member`, that blocks cover (read or hidden) and that the
  -- conversation does not exclude (low or deleted).
  covered_count bigint not null default 0,
  -- Positions beyond hidden_until that blocks hide and that are not deleted.
  hidden_count bigint not null default 0,
  -- The conversation is out of this user's list while its head is not above this; null: it is listed.
  unlisted_at bigint,
  primary key (app_id, conversation_id, user_id),
  check ((left_seq is null) = (left_head is null))
);
create index participant_by_user on participant (app_id, user_id, conversation_id);

-- Exceptions beyond a participant's watermarks, 256 positions a row: bit i (least significant first) of each 32-byte
-- set stands for position block * 256 + i.
create table participant_block (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  block bigint not null,
  read bytea not null,
  delivered bytea not null,
  hidden bytea not null,
  primary key (app_id, conversation_id, user_id, block)
) with (fillfactor = 70);
create index participant_block_by_block on participant_block (app_id, conversation_id, block);

-- Which positions of a conversation are of low significance or deleted, never both; only blocks that have any.
create table conversation_block (
  app_id uuid not null,
  conversation_id uuid not null,
  block bigint not null,
  low bytea not null,
  deleted bytea not null,
  primary key (app_id, conversation_id, block)
);

create table message (
  app_id uuid not null,
  conversation_id uuid not null,
  position bigint not null,
  id uuid not null,
  request_id uuid,
  sender_id text not null,
  sent_at timestamptz not null,
  updated_at timestamptz,
  low boolean not null default false,
  -- parley.messaging.v1.MessageBody; empty once deleted.
  body bytea not null,
  deleted_at timestamptz,
  -- Null when a server deleted it.
  deleted_by text,
  primary key (app_id, conversation_id, position)
);
create unique index message_by_id on message (app_id, id);

-- The log of changes: references and patches, never bodies (a parley.event.v1.Event with bodies left out). One
-- partition a day, made and dropped by a timer.
create table change (
  app_id uuid not null,
  conversation_id uuid not null,
  seq bigint not null,
  created_at timestamptz not null,
  -- Empty: all participants.
  only_user_ids text[] not null default '{}',
  event bytea not null
) partition by range (created_at);
create index change_by_seq on change (app_id, conversation_id, seq);
create table change_default partition of change default;

-- Up to when the log was dropped.
create table change_horizon (
  only_row boolean primary key default true check (only_row),
  dropped_until timestamptz not null
);
insert into change_horizon (dropped_until) values ('-infinity');

-- Events that are committed and not yet acknowledged by the broker; the bytes as they are published.
create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index outbox_by_age on outbox (created_at);

create table consumed_event (
  consumer text not null,
  event_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index consumed_event_by_age on consumed_event (at);

create table dead_letter (
  consumer text not null,
  event_id uuid not null,
  subject text not null,
  payload bytea not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
