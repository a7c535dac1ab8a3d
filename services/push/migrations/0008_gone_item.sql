-- Which pushes were in the lists of users, for a day after they were deleted: a page may begin behind one of them. list_id: the user.
create table gone_item (
  app_id uuid not null,
  list_id text not null,
  id uuid not null,
  place timestamptz,
  gone_at timestamptz not null default clock_timestamp(),
  primary key (app_id, list_id, id)
);
create index gone_item_by_age on gone_item (gone_at);
