-- Which incarnation of a user a record is of (see parley.identity.v1.Identity): null or 0 is a person who was never erased by
-- then. An erasure takes what is of an incarnation before its version. Nullable where rows are many: it takes no room there.
alter table identity_copy add column incarnation double precision not null default 0;
alter table message add column incarnation double precision;
alter table scheduled_message add column incarnation double precision;
-- Whose receipts the row holds.
alter table participant add column incarnation double precision;
-- Of an erasure that the release before began: what bears no incarnation.
alter table erasure add column version double precision not null default 1;

-- Conversations to which a bot sent without taking part, so that its erasure need not visit all of the application.
create table outside_sender (
  app_id uuid not null,
  user_id text not null,
  conversation_id uuid not null,
  primary key (app_id, user_id, conversation_id)
);
insert into outside_sender (app_id, user_id, conversation_id)
select distinct m.app_id, m.sender_id, m.conversation_id from message m
where not exists (
  select from participant p
  where p.app_id = m.app_id and p.conversation_id = m.conversation_id and p.user_id = m.sender_id);
