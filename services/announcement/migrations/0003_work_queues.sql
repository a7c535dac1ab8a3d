-- Fan-out and erasures serve applications in turn, and an item that failed waits by itself. The indexes fan_out_by_age and
-- announcement_by_sender stay for one release: processes of the one before use them while this one is rolled out.
alter table fan_out
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0;
create index fan_out_by_turn on fan_out (app_id, due_at, sent_at, announcement_id, slice);
create index fan_out_by_time on fan_out (due_at);

-- `taken_back_announcement` and `taken_back_user`: up to which recipient of which of the user's announcements these are
-- taken back.
alter table erasure
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0,
  add column taken_back_announcement uuid not null default '00000000-0000-0000-0000-000000000000',
  add column taken_back_user text not null default '';
create index erasure_by_turn on erasure (app_id, due_at, requested_at, user_id);
create index erasure_by_time on erasure (due_at);

-- The announcements of a sender, in order, and those that are not withdrawn.
create index announcement_by_sender_and_id on announcement (app_id, sender_id, id);
create index announcement_to_withdraw on announcement (app_id, sender_id, id) where deleted_at is null;
