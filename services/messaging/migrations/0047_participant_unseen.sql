-- no transaction
-- An edit or deletion finds those who do not see the message.
drop index concurrently if exists participant_unseen;
create index concurrently participant_unseen on participant (app_id, conversation_id) where unseen is not null;
