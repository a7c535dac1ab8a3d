-- no transaction
drop index concurrently if exists conversation_by_type;
create index concurrently conversation_by_type on conversation (app_id, type) where type is not null and deleted_at is null;
