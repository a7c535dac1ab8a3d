-- Bodies of messages that an edit replaced, kept for readers to whom the edit does not show.
create table message_version (
  app_id uuid not null,
  conversation_id uuid not null,
  position bigint not null,
  -- The change number of the edit that replaced this body.
  seq bigint not null,
  -- parley.messaging.v1.MessageBody.
  body bytea not null,
  -- The message's updated_at with this body; null: as it was sent.
  updated_at timestamptz,
  -- Of the edit that replaced it; without a user it was a server's.
  edited_at timestamptz not null,
  edited_by text,
  -- Readers who see this body for good: they blocked the sender when it was replaced.
  kept_for text[] not null default '{}',
  primary key (app_id, conversation_id, position, seq)
);

-- Whether any message of the conversation has a version; without, reads do not look for one.
alter table conversation add column has_versions boolean not null default false;
