-- Messages that wait for their time. A row is gone once its message is stored or dropped.
create table scheduled_message (
  app_id uuid not null,
  -- Of the message to come; no other message may take it.
  id uuid not null,
  conversation_id uuid not null,
  sender_id text not null,
  request_id uuid,
  created_at timestamptz not null,
  due_at timestamptz not null,
  -- When the sender begins to appear typing; null: never.
  typing_at timestamptz,
  -- Whether the others were told that the sender types.
  is_typing boolean not null default false,
  -- parley.messaging.v1.MessageDraft.
  draft bytea not null,
  primary key (app_id, id)
);
create index scheduled_message_by_conversation on scheduled_message (app_id, conversation_id, due_at, id);
create index scheduled_message_by_due on scheduled_message (due_at);
create index scheduled_message_by_typing on scheduled_message (typing_at) where not is_typing;
