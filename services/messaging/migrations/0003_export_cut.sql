-- What an export covers, fixed before anything of it is read: 1000 conversations a row, by creation, and how long each
-- was. Rows as large as that are written in seconds for a million conversations.
create table export_cut (
  app_id uuid not null,
  cut_id uuid not null,
  chunk int not null,
  conversation_ids uuid[] not null,
  heads bigint[] not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, cut_id, chunk)
);
create index export_cut_by_age on export_cut (created_at);
