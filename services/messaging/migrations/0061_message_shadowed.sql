-- no transaction
drop index concurrently if exists message_shadowed;
create index concurrently message_shadowed on message (app_id, conversation_id, sender_id, position) where shadowed;
