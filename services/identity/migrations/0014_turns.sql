-- Changes of identities that followers are to be told of, a page of followers at a time, in turn.
create table follower_notice (
  app_id uuid not null,
  event_id uuid not null,
  user_id text collate "C" not null,
  event bytea not null,
  told_until text collate "C" not null default '',
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, event_id)
);
create index follower_notice_by_turn on follower_notice (app_id, due_at, event_id);
create index follower_notice_by_time on follower_notice (due_at);
create index follower_notice_by_user on follower_notice (app_id, user_id);

-- Who takes part at a change, without all who left before it; and who joined after it.
create index membership_by_end on membership
  (app_id, conversation_id, (coalesce(left_seq, 9223372036854775807)));
create index membership_by_beginning on membership (app_id, conversation_id, joined_seq);

-- The blocks that there are, without all that were lifted.
create index block_by_active on block (app_id, owner_user_id, blocked_user_id) where active;
