-- A row that is refused waits longer each time, and one that can never be published is moved out of the way. The default is
-- a stable function: a volatile one would have the whole table written anew while nothing else can use it.
alter table outbox
  add column attempts integer not null default 0,
  add column next_try_at timestamptz not null default now();
create index outbox_by_next_try on outbox (next_try_at, id);

create table outbox_dead_letter (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null,
  error text not null,
  died_at timestamptz not null default clock_timestamp()
);
