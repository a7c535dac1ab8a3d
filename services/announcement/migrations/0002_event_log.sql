-- What was published, to publish it again when the broker lost it: a parley.event.v1.Event each.
create table event_log (
  id uuid primary key,
  at timestamptz not null,
  event bytea not null
);
create index event_log_by_age on event_log (at, id);

-- Which stream of the broker has what the log has: a new one is filled from it.
create table filled_stream (
  name text primary key,
  made_at text not null
);
