-- Which applications are deleted, for good, and which of them are being removed.
create table app_tombstone (
  app_id uuid primary key,
  deleted_at timestamptz not null
);
create table app_removal (
  app_id uuid primary key,
  at_table text not null default '',
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0
);
create index app_removal_by_turn on app_removal (app_id, due_at);
create index app_removal_by_time on app_removal (due_at);
