-- Pushes that are to be made, a page of recipients at a time, in turn.
create table push_order (
  app_id uuid not null,
  event_id uuid not null,
  event bytea not null,
  made_until text collate "C" not null default '',
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, event_id)
);
create index push_order_by_turn on push_order (app_id, due_at, event_id);
create index push_order_by_time on push_order (due_at);

-- The blocks by a user, for their erasure.
create index block_copy_by_owner on block_copy (app_id, owner_user_id, blocked_user_id);
