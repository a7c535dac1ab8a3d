-- Users whose messages and uploads from before that time are to be released.
create table erasure (
  app_id uuid not null,
  user_id text collate "C" not null,
  erased_at timestamptz not null,
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, user_id)
);
create index erasure_by_turn on erasure (app_id, due_at, erased_at, user_id);
create index erasure_by_time on erasure (due_at);
-- The release before goes on using content_message_by_sender.
create index content_message_to_erase on content_message (app_id, sender_id, id) where deleted_at is null;
create index content_to_erase on content (app_id, user_id, id)
  where status = 1 or status = 2 and unreferenced_since is not null;

-- The removal of deleted applications proceeds in steps, in turn: all content up to an id is over. The release before does
-- not say when a removal may begin: hence the default.
alter table deleted_app
  add column ended_until uuid not null default '00000000-0000-0000-0000-000000000000',
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0;
update deleted_app set due_at = heard_at + interval '1 minute';
alter table deleted_app alter column due_at set default clock_timestamp() + interval '1 minute';
create index deleted_app_by_turn on deleted_app (app_id, due_at);
create index deleted_app_by_time on deleted_app (due_at);

-- A blob that cannot be removed waits by itself. The release before goes on using content_to_purge.
alter table content
  add column purge_due_at timestamptz not null default '-infinity',
  add column purge_attempts integer not null default 0;
create index content_to_purge_by_turn on content (app_id, purge_due_at, ended_at)
  where status > 2 and purged_at is null;
