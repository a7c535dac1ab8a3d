-- What is due, application by application.
create index scheduled_message_by_turn on scheduled_message (app_id, due_at);
create index scheduled_message_by_typing_turn on scheduled_message (app_id, typing_at) where not is_typing;
