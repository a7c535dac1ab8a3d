-- A push to one device.
create table delivery (
  app_id uuid not null,
  -- Whose turns it takes: a push service of the application.
  target_id uuid not null,
  id uuid not null,
  -- The event push.requested.
  event_id uuid not null,
  user_id text collate "C" not null,
  device_id text collate "C" not null,
  -- web, fcm or apns.
  provider text not null,
  conversation_id uuid,
  message_id uuid,
  -- Of the message.
  sender_id text collate "C",
  -- parley.push.v1.PushDeliveryStatus
  status smallint not null default 1,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- The worker that sends it.
  claimed_by uuid,
  attempts integer not null default 0,
  -- Why the last attempt failed, or the delivery was dropped.
  reason text,
  -- parley.push.v1.PushContent, until it is settled.
  content bytea,
  primary key (app_id, target_id, id)
) with (fillfactor = 80);
create unique index delivery_by_event on delivery (app_id, event_id, device_id);
create index delivery_due on delivery (app_id, target_id, due_at) where status = 1 and claimed_by is null;
create index delivery_by_claim on delivery (claimed_by) where claimed_by is not null;
create index delivery_by_user on delivery (app_id, user_id, id);
create index delivery_by_sender on delivery (app_id, sender_id, id) where content is not null and sender_id is not null;
create index delivery_settled on delivery (settled_at) where status <> 1;

-- Processes that claim deliveries: the claims of one that has not been seen for some seconds are released.
create table worker (
  id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);

-- The key pair by which push services of browsers know an application.
create table vapid_key (
  app_id uuid primary key,
  -- A point of P-256, uncompressed, as base64url.
  public_key text not null,
  -- The private key, sealed.
  private_key bytea not null,
  -- Which encryption key sealed it.
  sealed_with text not null,
  created_at timestamptz not null
);

-- Pushes to these users, and with words of theirs, that were asked for until then are neither stored nor sent.
create table erased_user (
  app_id uuid not null,
  user_id text collate "C" not null,
  erased_at timestamptz not null,
  primary key (app_id, user_id)
);

-- Users whose deliveries are to be deleted (work queue).
create table erasure (
  app_id uuid not null,
  user_id text collate "C" not null,
  erased_at timestamptz not null,
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, user_id)
);
create index erasure_by_turn on erasure (app_id, due_at, erased_at, user_id);
create index erasure_by_time on erasure (due_at);

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

-- Deleted applications, for good, and those whose rows are being removed.
create table app_tombstone (
  app_id uuid primary key,
  deleted_at timestamptz not null
);
create table app_removal (
  app_id uuid primary key,
  at_table text not null default '',
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0
);
create index app_removal_by_turn on app_removal (app_id, due_at);
create index app_removal_by_time on app_removal (due_at);
