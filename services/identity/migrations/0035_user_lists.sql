-- no transaction
-- The list of users finds the few that are suspended, or bots, without reading the others.
drop index concurrently if exists identity_suspended;
create index concurrently identity_suspended on identity (app_id, user_id) where suspended and not deleted;
drop index concurrently if exists identity_bots;
create index concurrently identity_bots on identity (app_id, user_id) where type = 2 and not deleted;
