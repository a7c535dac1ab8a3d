-- Which incarnation of the sender or of the recipient a record is of (see parley.identity.v1.Identity); null: 0. An erasure takes
-- what is of an incarnation before its version.
alter table announcement add column sender_incarnation double precision;
alter table received add column incarnation double precision;
alter table erasure add column version double precision not null default 1;

-- Those of the recipients who were erased and came back, and their incarnations.
alter table fan_out
  add column returned_user_ids text[] not null default '{}',
  add column returned_incarnations double precision[] not null default '{}';
