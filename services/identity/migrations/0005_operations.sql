-- Requests that callers named by an Idempotency-Key. Kept for a day.
create table idempotency_key (
  app_id uuid not null,
  -- Of the caller and the key.
  hash bytea not null,
  -- Of the request.
  fingerprint bytea not null,
  operation_id uuid not null,
  -- Sealed; null until the request was answered.
  answer bytea,
  created_at timestamptz not null,
  primary key (app_id, hash)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- What operations did in this database, so that a repeated one does it once.
create table performed_operation (
  id uuid not null,
  name text not null,
  result bytea,
  at timestamptz not null default clock_timestamp(),
  primary key (id, name)
);
create index performed_operation_by_age on performed_operation (at);
