-- no transaction
-- Contents whose `counted` is out of date.
drop index concurrently if exists content_to_count;
create index concurrently content_to_count on content (app_id, id) where counted <> (status = 1 or status = 2 and unreferenced_since is not null);
