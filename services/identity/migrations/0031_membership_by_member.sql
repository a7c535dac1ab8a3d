-- no transaction
drop index concurrently if exists membership_by_member;
create index concurrently membership_by_member on membership (app_id, conversation_id, user_id, joined_seq) where joined_at is not null;
