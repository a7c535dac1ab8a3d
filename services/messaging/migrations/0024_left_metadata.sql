-- The metadata of the conversation when a user left it, which they see from then on. It holds for the membership that ended with
-- change left_metadata_seq: a process of the release before ends memberships without it, and begins new ones without removing it.
alter table participant
  add column left_metadata json,
  add column left_metadata_seq bigint;
