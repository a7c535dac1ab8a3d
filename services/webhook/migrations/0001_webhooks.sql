create table webhook (
  app_id uuid not null,
  id uuid not null,
  version text not null,
  target_url text not null,
  events text[] not null,
  -- Sealed JSON: see src/secrets.ts.
  secrets bytea not null,
  -- `json`, since it keeps the order of keys and takes an escaped NUL where `jsonb` does not.
  config json,
  -- parley.webhook.v1.WebhookStatus
  status smallint not null,
  status_reason text,
  created_at timestamptz not null,
  -- Set while it is unverified: what the answer must match to count, and when somebody is to ask (again).
  verification_id uuid,
  verify_at timestamptz,
  -- It was active when the verification began: what happens meanwhile is kept for it.
  resuming boolean not null default false,
  -- Events before this time are not for it.
  accepts_from timestamptz not null,
  -- First failure since the last success.
  failing_since timestamptz,
  primary key (app_id, id),
  check ((status = 1) = (verify_at is not null and verification_id is not null))
);
create index webhook_to_verify on webhook (verify_at) where verify_at is not null;

-- Whose deliveries are to be removed; kept for a while, since some may still be on their way in.
create table removed_webhook (
  app_id uuid not null,
  id uuid not null,
  removed_at timestamptz not null,
  primary key (app_id, id)
);

-- Something that at least one webhook is owed, once for all of them: a parley.event.v1.Event that holds only what its
-- type is about.
create table notice (
  app_id uuid not null,
  id uuid not null,
  type text not null,
  event_at timestamptz not null,
  -- Whose words or data these are; erased with the person.
  subject_user_id text,
  event bytea not null,
  primary key (app_id, id)
);
create index notice_by_subject on notice (app_id, subject_user_id) where subject_user_id is not null;

create table delivery (
  app_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  notice_id uuid not null,
  -- parley.webhook.v1.DeliveryStatus
  status smallint not null default 1,
  created_at timestamptz not null,
  due_at timestamptz not null,
  settled_at timestamptz,
  -- The worker that is at it.
  claimed_by uuid,
  -- All attempts, and those since the schedule began.
  attempt_count integer not null default 0,
  tries integer not null default 0,
  -- The last ones: [{at, duration_ms, response_status, response_body, error}, …].
  attempts jsonb not null default '[]',
  primary key (app_id, webhook_id, id)
) with (fillfactor = 80);
create unique index delivery_by_notice on delivery (app_id, notice_id, webhook_id);
create index delivery_due on delivery (app_id, webhook_id, due_at) where status = 1 and claimed_by is null;
create index delivery_by_status on delivery (app_id, webhook_id, status, id);
create index delivery_by_claim on delivery (claimed_by) where claimed_by is not null;
create index delivery_settled on delivery (status, settled_at) where status <> 1;

-- Who claims deliveries: what a worker held that has not been seen for some seconds goes back.
create table worker (
  id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);

-- Reading everything is one event and a notice for each message: they are made page by page.
create table expansion (
  app_id uuid not null,
  event_id uuid not null,
  event bytea not null,
  webhook_ids uuid[] not null,
  -- Positions below are done.
  next_position bigint not null default 0,
  primary key (app_id, event_id)
);

create table consumed_event (
  consumer text not null,
  event_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index consumed_event_at on consumed_event using brin (at);

create table dead_letter (
  consumer text not null,
  event_id text not null,
  subject text not null,
  payload bytea not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
