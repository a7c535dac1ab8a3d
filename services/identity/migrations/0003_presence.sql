-- Gateways that hold sockets, by their last sign of life.
create table presence_gateway (
  gateway_id uuid primary key,
  seen_at timestamptz not null
);

-- What a user chose to appear as, and what others last saw of them.
create table presence (
  app_id uuid not null,
  user_id text not null,
  -- parley.identity.v1.PresenceStatus.
  status smallint not null default 1,
  last_seen_at timestamptz,
  changed_at timestamptz not null,
  version bigint not null default 0,
  primary key (app_id, user_id)
) with (fillfactor = 70);

-- Which gateways hold sockets of a user: connected is who has a row.
create table presence_hold (
  app_id uuid not null,
  user_id text not null,
  gateway_id uuid not null,
  primary key (app_id, user_id, gateway_id)
);
create index presence_hold_by_gateway on presence_hold (gateway_id);
