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

-- The log's events go with their application; those that the release before writes go with age.
alter table event_log add column app_id uuid;
create index event_log_by_app on event_log (app_id, id) where app_id is not null;

-- Applications that were deleted before.
insert into app_tombstone (app_id, deleted_at) select id, deleted_at from app where deleted_at is not null;
insert into app_removal (app_id) select app_id from app_tombstone;
