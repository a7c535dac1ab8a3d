-- Which incarnation of the subject a notice is about (see parley.identity.v1.Identity); null: 0.
alter table notice add column subject_incarnation double precision;
alter table expansion add column subject_incarnation double precision;

-- Notices about these users that are of an incarnation before the version are neither taken in nor sent.
create table erased_user (
  app_id uuid not null,
  user_id text not null,
  version double precision not null,
  primary key (app_id, user_id)
);

-- What is of an incarnation before the version is to be deleted. The times are those of the release before.
alter table erasure add column version double precision not null default 1;
alter table erasure alter column erased_at set default clock_timestamp();
