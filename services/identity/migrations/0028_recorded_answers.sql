-- The answer of the operation `kept_for`, packed and sealed, or what it is rendered again from. Release 0.1.0 uses `answer` instead,
-- and does not clear the new columns when it claims an expired key again: they hold while `kept_for` is the key's operation.
alter table idempotency_key add column kept bytea, add column kept_for uuid;

-- Bytes that the keys of an application and their answers took, by the hour in which they were stored.
create table idempotency_usage (
  app_id uuid not null,
  hour timestamptz not null,
  bytes bigint not null,
  primary key (app_id, hour)
);
