-- How users react to messages.
create table reaction (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  position bigint not null,
  key text collate "C" not null,
  -- Version 7; the order of reactions.
  id uuid not null,
  created_at timestamptz not null,
  -- The change by which it was given.
  seq bigint not null,
  -- The user's; null: 0.
  incarnation double precision,
  primary key (app_id, conversation_id, user_id, position, key)
);

create index reaction_by_key on reaction (app_id, conversation_id, position, key, id);

-- How many users react to a message with a key; none: no row.
create table reaction_count (
  app_id uuid not null,
  conversation_id uuid not null,
  position bigint not null,
  key text collate "C" not null,
  -- Of the reaction by which the key came; the order of keys.
  first_id uuid not null,
  count bigint not null,
  -- User ids of the newest reactions, and the ids of these, newest first.
  recent text[] not null,
  recent_ids uuid[] not null,
  primary key (app_id, conversation_id, position, key)
);

-- Users whose reaction to a message was pushed to its sender, which happens once.
create table reaction_push (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  position bigint not null,
  primary key (app_id, conversation_id, user_id, position)
);
