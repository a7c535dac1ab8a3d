-- A tenant. A deleted one stays as a row: sessions and tokens are dead from that moment, and timers collect them.
create table app (
  id uuid primary key,
  name text not null,
  environment text not null,
  suspended boolean not null default false,
  session_ttl_in_seconds bigint not null,
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz
);

create table provider (
  id uuid primary key,
  app_id uuid not null references app,
  name text not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index provider_by_app on provider (app_id, id);

-- A public key never changes under its id, so that it can be cached by it. A deleted key stays: tokens signed with it
-- are told so.
create table provider_key (
  id uuid primary key,
  provider_id uuid not null references provider,
  public_key text not null,
  disabled boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index provider_key_by_provider on provider_key (provider_id, id);

-- Access tokens and sessions are looked up by the hash alone, since it is the token that tells the app.
create table access_token (
  id uuid primary key,
  app_id uuid not null references app,
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index access_token_by_app on access_token (app_id, id);

create table session (
  id uuid primary key,
  app_id uuid not null,
  user_id text collate "C" not null,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_by_user on session (app_id, user_id, id);
create index session_by_expiry on session (expires_at);

-- Nonces that were used and are not expired yet.
create table used_nonce (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index used_nonce_by_expiry on used_nonce (expires_at);

-- Users and bots. A deleted one keeps its ids and its version, which must never go back.
create table identity (
  app_id uuid not null,
  user_id text collate "C" not null,
  type smallint not null,
  display_name text,
  avatar_url text,
  first_name text,
  last_name text,
  phone_number text,
  email_address text,
  public_key text,
  -- `json`, since it takes an escaped NUL where `jsonb` does not.
  metadata json not null default '{}',
  version bigint not null default 1,
  suspended boolean not null default false,
  deleted boolean not null default false,
  primary key (app_id, user_id)
);
create index identity_by_display_name on identity (app_id, lower(display_name) collate "C") where not deleted;

-- What gateways must forget, told in the order of transaction ids: see src/sql/revocation.ts. Of the three subjects one
-- is set at most; none: the app itself.
create table revocation (
  xid bigint not null default pg_current_xact_id()::text::bigint,
  app_id uuid not null,
  session_id uuid,
  access_token_id uuid,
  user_id text,
  created_at timestamptz not null,
  check (num_nonnulls(session_id, access_token_id, user_id) <= 1)
);
create index revocation_by_xid on revocation (xid);
create index revocation_by_age on revocation (created_at);

-- Revocations of transactions before this one may have been swept.
create table revocation_horizon (
  only_row boolean primary key default true check (only_row),
  xid bigint not null
);
insert into revocation_horizon (xid) values (0);

create table audit_entry (
  id uuid primary key,
  app_id uuid,
  action text not null,
  actor text not null,
  subject text not null,
  created_at timestamptz not null
);
create index audit_entry_by_app on audit_entry (app_id, id);

create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp()
);
