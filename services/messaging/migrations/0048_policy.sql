-- Types of conversations. The rules leave out what has its default; without a row `default` is unchanged. Each change gives another version,
-- by which a send from the cache notices it.
create table conversation_type (
  app_id uuid not null,
  name text not null collate "C",
  rules json not null,
  version uuid not null,
  primary key (app_id, name)
);
-- Who may not write or take part in a conversation. It ends by the clock, and is of the person with this incarnation.
create table restriction (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  kind text not null,
  until timestamptz,
  reason text,
  created_by text,
  created_at timestamptz not null,
  incarnation double precision not null,
  primary key (app_id, conversation_id, user_id)
);
create index restriction_by_user on restriction (app_id, user_id);
-- type: null for `default`. slow_mode: seconds. side_tables: bits of the tables that may hold something of the
-- conversation, so that others are not read; 2: restriction.
alter table conversation
  add column type text,
  add column frozen_at timestamptz,
  add column frozen_by text,
  add column slow_mode integer,
  add column side_tables integer not null default 0;
-- role: null for members. slow_sent_at: the last message while slow mode was on.
alter table participant
  add column role text,
  add column slow_sent_at timestamptz;
-- A restriction in the whole application: kind, until, reason, created_at.
alter table identity_copy add column restriction json;
