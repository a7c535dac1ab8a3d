-- What all processes counted, by application and minute. The nil uuid holds the sums of the whole platform.
create table figure (
  app_id uuid not null,
  minute timestamptz not null,
  messages bigint not null default 0,
  scheduled_messages bigint not null default 0,
  lateness_ms bigint not null default 0,
  max_lateness_ms bigint not null default 0,
  socket_deliveries bigint not null default 0,
  webhook_deliveries bigint not null default 0,
  failed_webhook_attempts bigint not null default 0,
  push_deliveries bigint not null default 0,
  failed_push_attempts bigint not null default 0,
  requests bigint not null default 0,
  limited_requests bigint not null default 0,
  failed_requests bigint not null default 0,
  sockets bigint not null default 0,
  -- The 512 smallest hashes of users who were active, in order.
  user_hashes bigint[] not null default '{}',
  primary key (app_id, minute)
) with (fillfactor = 70);
create index figure_by_minute on figure (minute);

-- The last batch of figures of each process, so that a repeated one is not counted twice.
create table figure_process (
  process_id uuid primary key,
  batch bigint not null,
  seen_at timestamptz not null
);
create index figure_process_by_time on figure_process (seen_at);
