-- Bearer tokens of programs that call the administration API, by their hash.
create table automation_token (
  id uuid primary key,
  name text not null unique,
  token_hash bytea not null unique,
  -- [{role, app_id}]; app_id is null for all applications.
  roles jsonb not null,
  expires_at timestamptz,
  created_at timestamptz not null
);
