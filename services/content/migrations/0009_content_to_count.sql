-- no transaction
-- Contents that count although they no longer should, or the other way round.
drop index concurrently if exists content_to_count;
create index concurrently content_to_count on content (app_id, id) where counted <> (status = 1 or status = 2 and unreferenced_since is not null);
