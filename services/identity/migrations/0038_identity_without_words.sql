-- no transaction
-- Identities whose words are still to be written: those that a process of the release before this one changed.
drop index concurrently if exists identity_without_words;
create index concurrently identity_without_words on identity (app_id, user_id) where words_version is distinct from version;
