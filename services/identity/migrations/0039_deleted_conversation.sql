-- Conversations that are deleted for everybody: their participants do not share them any more.
create table deleted_conversation (
  app_id uuid not null,
  conversation_id uuid not null,
  primary key (app_id, conversation_id)
);
