-- Who took part in which conversation from one of its changes to another, as the events of messaging tell: a row for
-- each period of a member, never one for a pair. Rows stay for good, since whoever ever shared a conversation follows.
-- Where `joined_at` is null the row says only that the user left at change `joined_seq`: it waits for joinings that are
-- told late.
create table membership (
  app_id uuid not null,
  user_id text collate "C" not null,
  conversation_id uuid not null,
  joined_seq bigint not null,
  joined_at timestamptz,
  left_seq bigint,
  primary key (app_id, user_id, conversation_id, joined_seq)
);
create index membership_by_conversation on membership (app_id, conversation_id);

-- What users said themselves of whom they follow. `followed` false: explicitly not, unless they share a joining of
-- a conversation that is later.
create table follow (
  app_id uuid not null,
  owner_user_id text collate "C" not null,
  target_user_id text collate "C" not null,
  followed boolean not null,
  decided_at timestamptz not null,
  primary key (app_id, owner_user_id, target_user_id)
);
create index follow_by_target on follow (app_id, target_user_id, owner_user_id);

-- Users to be followed that were asked for and are not yet: a slice of one request each.
create table follow_request (
  id uuid primary key,
  app_id uuid not null,
  owner_user_id text collate "C" not null,
  target_user_ids text[] not null,
  requested_at timestamptz not null
);

-- Moves on with everything that changes whom a user follows; with an empty user id, with what changes it for anybody of
-- the app. It tells whether a list kept in memory is still true.
create table following_stamp (
  app_id uuid not null,
  user_id text collate "C" not null,
  stamp bigint not null default 1,
  primary key (app_id, user_id)
) with (fillfactor = 70);

-- Who blocks whom. A pair that is not active any more keeps its version, which must never go back.
create table block (
  app_id uuid not null,
  owner_user_id text collate "C" not null,
  blocked_user_id text collate "C" not null,
  active boolean not null,
  version bigint not null default 1,
  primary key (app_id, owner_user_id, blocked_user_id)
);
create index block_by_blocked on block (app_id, blocked_user_id);

-- What the app itself adds to a user's badge.
create table badge (
  app_id uuid not null,
  user_id text collate "C" not null,
  external_unread_count bigint not null,
  primary key (app_id, user_id)
);

-- The log of changes of identities: which fields, never their values. Kept 30 days.
create table identity_change (
  app_id uuid not null,
  user_id text collate "C" not null,
  version bigint not null,
  created_at timestamptz not null,
  created boolean not null,
  fields text[] not null,
  primary key (app_id, user_id, version)
);
create index identity_change_by_age on identity_change (created_at);

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
