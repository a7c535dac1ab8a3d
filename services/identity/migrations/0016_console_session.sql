-- Codes that open the console once, by their hash.
create table sign_in_code (
  hash bytea primary key,
  expires_at timestamptz not null
);

create index sign_in_code_expires_at on sign_in_code (expires_at);

-- Logins of people at the console. A session ends when it is not used for `idle_seconds`, and at `expires_at`.
create table console_session (
  id uuid primary key,
  token_hash bytea not null unique,
  issuer text not null,
  subject text not null,
  name text not null,
  -- [{role, app_id}]; app_id is null for all applications.
  roles jsonb not null,
  -- code or oidc.
  method text not null,
  idle_seconds integer not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null
);

create index console_session_person on console_session (issuer, subject, id);
create index console_session_expires_at on console_session (expires_at);
