-- Follow requests serve applications in turn, and one that failed waits by itself.
alter table follow_request
  add column due_at timestamptz not null default '-infinity',
  add column attempts integer not null default 0;
create index follow_request_by_turn on follow_request (app_id, due_at, id);
create index follow_request_by_time on follow_request (due_at);
