-- Which stream of the broker has what the log of changes has: a new one is filled from it.
create table filled_stream (
  name text primary key,
  made_at text not null
);
