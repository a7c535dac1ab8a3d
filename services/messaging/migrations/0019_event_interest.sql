-- Whose events other services await: conversation events of all other applications are not stored for them.
create table event_interest (
  -- The nil id stands for every application, until the consumer has named its own.
  app_id uuid not null,
  consumer text not null,
  -- Changed by each registration, so that a registration during a removal prevents it.
  version xid8 not null default pg_current_xact_id(),
  -- Since when events are yet to be published from the change log; null when that is done.
  fill_since timestamptz,
  primary key (app_id, consumer)
);
insert into event_interest (app_id, consumer)
values ('00000000-0000-0000-0000-000000000000', 'export'), ('00000000-0000-0000-0000-000000000000', 'webhook');

-- Processes that publish live events. Of one that is no longer seen, the heads of its last conversations are published.
create table live_publisher (
  id uuid primary key,
  -- Everything that it committed earlier is published, by its own clock.
  published_until timestamptz not null,
  -- By the clock of the database.
  seen_at timestamptz not null default clock_timestamp()
);

-- Partitions get it when they are created; an older one without it is read whole.
create index change_by_time on only change using brin (created_at) with (pages_per_range = 16, autosummarize = on);
