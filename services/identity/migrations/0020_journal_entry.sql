-- What was ended, suspended or erased. Each entry is also stored outside of this database, so that it can be repeated after a restore.
create table journal_entry (
  id uuid primary key,
  at timestamptz not null,
  act json not null,
  -- Null: not yet stored outside.
  stored_at timestamptz
);
create index journal_entry_waiting on journal_entry (id) where stored_at is null;
create index journal_entry_by_age on journal_entry (stored_at);
