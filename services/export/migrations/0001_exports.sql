-- What archives of an app are encrypted to.
create table export_key (
  app_id uuid primary key,
  -- PEM, as given.
  public_key text not null,
  -- A value of parley.export.v1.KeyPadding.
  padding int not null,
  registered_at timestamptz not null
);

create table export (
  app_id uuid not null,
  id uuid not null,
  -- Values of parley.export.v1.ExportType and ExportStatus.
  type int not null,
  status int not null,
  status_reason text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  expired_at timestamptz,
  -- Failed runs, and when the next one is due.
  failures int not null default 0,
  due_at timestamptz not null,
  -- Of the run that is under way or was the last: what another run leaves behind is not taken for its result.
  run_id uuid,
  -- With which the last run encrypts.
  public_key text,
  padding int,
  -- Of a scheduled one: the numbers of the journal from after the first to the second, and what of them is asked for.
  after_number bigint,
  last_number bigint,
  events text[],
  -- Of a completed one.
  archive_size bigint,
  archive_sha256 bytea,
  encrypted_aes_key bytea,
  aes_iv bytea,
  primary key (app_id, id)
);
create index export_due on export (due_at) where completed_at is null;
create index export_expired on export (expired_at) where expired_at is not null;

-- The historical request that counts for an app's next 24 hours.
create table historical_request (
  app_id uuid primary key,
  export_id uuid not null,
  requested_at timestamptz not null
);

-- What runs have stored or may have stored: written before the first byte, removed after the last is gone.
create table export_blob (
  key text primary key,
  app_id uuid not null,
  export_id uuid not null,
  run_id uuid not null
);
create index export_blob_by_export on export_blob (app_id, export_id);

create table export_schedule (
  app_id uuid primary key,
  -- A value of parley.export.v1.ExportInterval.
  interval int not null,
  events text[] not null,
  hour_utc int not null,
  last_export_at timestamptz,
  last_export_id uuid,
  -- Null when disabled.
  next_export_at timestamptz,
  -- Up to which number of the journal exports were begun.
  exported_until bigint not null default 0
);
create index export_schedule_due on export_schedule (next_export_at) where next_export_at is not null;

-- Number of the last entry of an app's journal, moved on under its row's lock: whoever holds it sees every entry that has
-- a number up to it. No row: nothing is kept of the app.
create table journal_head (
  app_id uuid primary key,
  number bigint not null default 0,
  is_open boolean not null
);

-- Events as they came, until they are in an archive.
create table journal (
  app_id uuid not null,
  number bigint not null,
  -- Such as message.sent.
  kind text not null,
  at timestamptz not null,
  -- A parley.event.v1.Event.
  event bytea not null,
  primary key (app_id, number)
);
create index journal_by_time on journal (app_id, at, number);

-- Of whom nothing may be shown that happened before.
create table erased_person (
  app_id uuid not null,
  user_id text not null,
  erased_at timestamptz not null,
  primary key (app_id, user_id)
);

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
