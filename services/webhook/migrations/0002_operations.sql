-- What operations did in this database, so that a repeated one does it once.
create table performed_operation (
  id uuid not null,
  name text not null,
  result bytea,
  at timestamptz not null default clock_timestamp(),
  primary key (id, name)
);
create index performed_operation_by_age on performed_operation (at);
