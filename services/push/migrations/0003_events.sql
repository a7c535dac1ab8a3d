-- Another service awaits the result of the delivery.
alter table delivery add column is_awaited boolean not null default false;

-- Events to publish.
create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now()
);
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
