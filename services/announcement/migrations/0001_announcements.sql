create table announcement (
  app_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  sender_id text not null,
  sent_at timestamptz not null,
  -- parley.announcement.v1.AnnouncementBody; empty once withdrawn.
  body bytea not null,
  recipient_count bigint not null,
  -- All of them when they are few enough to be named to each other, else nobody.
  named_recipients text[] not null,
  deleted_at timestamptz,
  primary key (app_id, id)
);
create index announcement_by_sender on announcement (app_id, sender_id);

-- Recipients who have not got an announcement yet: written with it, 1000 a row, and gone in the transaction in which
-- they get it. So nobody is left out by a crash, and nobody gets it twice.
create table fan_out (
  app_id uuid not null,
  announcement_id uuid not null,
  slice int not null,
  sent_at timestamptz not null,
  user_ids text[] not null,
  primary key (app_id, announcement_id, slice)
);
create index fan_out_by_age on fan_out (sent_at, announcement_id, slice);

-- Counts of one user's announcements: the last position given, those that are not deleted, and those of them that are
-- not read.
create table inbox (
  app_id uuid not null,
  user_id text not null,
  head bigint not null,
  listed bigint not null,
  unread bigint not null,
  primary key (app_id, user_id)
) with (fillfactor = 70);

-- An announcement as one recipient has it. The times are the log of its changes, which only ever go one way.
create table received (
  app_id uuid not null,
  user_id text not null,
  position bigint not null,
  announcement_id uuid not null,
  received_at timestamptz not null,
  delivered_at timestamptz,
  read_at timestamptz,
  deleted_at timestamptz,
  -- The latest of these times.
  changed_at timestamptz not null,
  primary key (app_id, user_id, position)
) with (fillfactor = 80);
create unique index received_by_announcement on received (app_id, announcement_id, user_id);
create index received_by_place on received (app_id, user_id, position desc) where deleted_at is null;
create index received_by_change on received (app_id, user_id, changed_at);

-- Users who are being erased.
create table erasure (
  app_id uuid not null,
  user_id text not null,
  requested_at timestamptz not null default clock_timestamp(),
  primary key (app_id, user_id)
);

create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp()
);

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
