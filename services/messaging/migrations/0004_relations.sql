-- An event that is older than what is known of a pair changes nothing; so a pair that is no block any more stays, with
-- the version of that.
alter table block_copy add column active boolean not null default true;
alter table block_copy add column version double precision not null default 0;

-- Users whose messages and receipts are being erased, and how far that is: up to this conversation.
create table erasure (
  app_id uuid not null,
  user_id text not null,
  done_until uuid not null default '00000000-0000-0000-0000-000000000000',
  requested_at timestamptz not null default clock_timestamp(),
  primary key (app_id, user_id)
);
