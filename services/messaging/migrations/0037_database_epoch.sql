-- The epoch of this database: docs/decisions/database.md#the-epoch-of-a-database
create table database_epoch (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  history text not null,
  began_at timestamptz
);
insert into database_epoch (id, history) values (gen_random_uuid(), '');
