-- Whom users find by name: everyone, shared (those with whom they share a conversation), or nobody.
alter table app add column user_directory text not null default 'nobody';

-- The texts by whose beginnings a user is found: docs/decisions/relations.md#finding-users
create table identity_word (
  app_id uuid not null,
  word text not null collate "C",
  user_id text not null,
  type smallint not null,
  suspended boolean not null,
  primary key (app_id, word, user_id) include (type, suspended)
);
create index identity_word_by_user on identity_word (app_id, user_id, word) include (type, suspended);

-- The version of the identity that its words are of; another one, or null: the words are still to be written.
alter table identity add column words_version bigint;
