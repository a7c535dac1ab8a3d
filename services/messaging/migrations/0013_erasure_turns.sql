-- Erasures serve applications in turn, one that failed waits by itself, and each remembers how far it is within a
-- conversation: up to this position.
alter table erasure
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0,
  add column done_position bigint not null default 0;
create index erasure_by_turn on erasure (app_id, due_at, requested_at, user_id);
create index erasure_by_time on erasure (due_at);

-- For the erasure of a sender.
create index scheduled_message_by_sender on scheduled_message (app_id, sender_id);
