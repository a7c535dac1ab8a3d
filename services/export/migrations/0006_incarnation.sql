-- Of whom nothing may be shown that is of an incarnation before the version (see parley.identity.v1.Identity). 0: nothing that
-- happened before `erased_at`, as the release before wrote it.
alter table erased_person add column version double precision not null default 0;
