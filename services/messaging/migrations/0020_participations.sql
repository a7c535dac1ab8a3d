-- Participations of incarnations before this one are those of an erased person, and count for nobody: the next person with the user
-- id has none of them. It moves with each erasure. 0: the user was not erased since this release; then all participations count,
-- as they did before.
alter table identity_copy add column participations_from double precision not null default 0;
