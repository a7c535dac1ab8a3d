-- The version that the last erasure gave the identity; 0: the person was never erased. Records in other services bear it, so
-- that an erasure tells what a returned user does from what the erased one did, without comparing clocks.
alter table identity add column incarnation bigint not null default 0;
create index identity_returned on identity (app_id, user_id) where incarnation > 0;
