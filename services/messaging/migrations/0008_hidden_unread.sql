-- Of whom a participant hid a message before reading it. Such a message stays unread whatever position is read up to later,
-- so these senders are told of each message that becomes read instead of a position.
create table hidden_unread (
  app_id uuid not null,
  conversation_id uuid not null,
  user_id text not null,
  sender_id text not null,
  primary key (app_id, conversation_id, user_id, sender_id)
);
