-- no transaction
-- What is forgotten by its age.
drop index concurrently if exists erased_user_by_age;
create index concurrently erased_user_by_age on erased_user (erased_at);
