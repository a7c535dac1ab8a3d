-- Blocks by an erased user and of them, up to a version, are over: what is heard of them late changes nothing.
create table block_erasure (
  app_id uuid not null,
  user_id text not null,
  blocks_until double precision not null,
  primary key (app_id, user_id)
);
