-- Conversations that were deleted for everybody. Their content is released in bounded steps, in turn.
create table deleted_conversation (
  app_id uuid not null,
  conversation_id uuid not null,
  due_at timestamptz not null default '-infinity',
  attempts integer not null default 0,
  primary key (app_id, conversation_id)
);
create index deleted_conversation_by_turn on deleted_conversation (app_id, due_at, conversation_id);
create index deleted_conversation_by_time on deleted_conversation (due_at);
-- The release before goes on using content_message_by_conversation.
create index content_message_to_release on content_message (app_id, conversation_id, id) where deleted_at is null;

-- Claims are verified in turn. The release before goes on using content_message_to_confirm.
create index content_message_to_confirm_by_turn on content_message (app_id, claimed_at)
  where not confirmed and deleted_at is null;
