-- Where pushes to a user's devices go.
create table push_token (
  app_id uuid not null,
  user_id text collate "C" not null,
  device_id text collate "C" not null,
  type text not null,
  token text not null,
  -- What else the client said, for the push connector; `json`, since it takes an escaped NUL where `jsonb` does not.
  details json not null,
  updated_at timestamptz not null,
  primary key (app_id, user_id, device_id)
);
create index push_token_by_token on push_token (app_id, md5(token));
