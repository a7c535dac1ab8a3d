-- Expansions and erasures serve applications in turn, and an item that failed waits by itself.
alter table expansion
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0;
create index expansion_by_turn on expansion (app_id, due_at, event_id);
create index expansion_by_time on expansion (due_at);

-- Users whose notices from before that time are to be deleted.
create table erasure (
  app_id uuid not null,
  user_id text not null,
  erased_at timestamptz not null,
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, user_id)
);
create index erasure_by_turn on erasure (app_id, due_at, erased_at, user_id);
create index erasure_by_time on erasure (due_at);

-- Up to when notices about a user are stored. The release before goes on using notice_by_subject.
create index notice_by_subject_and_time on notice (app_id, subject_user_id, event_at) where subject_user_id is not null;
