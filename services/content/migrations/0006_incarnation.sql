-- Which incarnation of the user a record is of (see parley.identity.v1.Identity); null: 0. An erasure takes what is of an
-- incarnation before its version. The times are those of the release before.
alter table content add column incarnation double precision;
alter table content_message add column incarnation double precision;
alter table erasure add column version double precision not null default 1;
alter table erasure alter column erased_at set default clock_timestamp();
