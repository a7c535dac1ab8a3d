-- Who must hear that an identity is deleted or erased, written before the relations that say so are removed: for live changes, and for
-- replays. Ids alone.
create table departure (
  app_id uuid not null,
  -- Who must hear.
  user_id text not null,
  gone_user_id text not null,
  -- Of the identity, with its deletion.
  version bigint not null,
  at timestamptz not null,
  primary key (app_id, user_id, gone_user_id, version)
);
create index departure_by_gone on departure (app_id, gone_user_id, version, user_id);
create index departure_by_age on departure (at);
