-- Versions of blocks come from one sequence: a pair that an erasure deleted and that is blocked again has a higher version
-- than before, so that consumers which remember the old version take the new block.
create sequence block_version as bigint;
select setval('block_version', (select coalesce(max(version), 0) + 1 from block), false);
alter table block alter column version set default nextval('block_version');
