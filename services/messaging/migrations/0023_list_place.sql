-- Where a conversation stands in the list of a participant who blocks the sender of its newest messages.
create table list_place (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  -- The last message that was withheld. While the conversation has none beyond it, message_at counts instead of last_message_at.
  withheld_until bigint not null,
  message_at timestamptz not null,
  primary key (app_id, conversation_id, user_id)
);
