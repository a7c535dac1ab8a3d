-- Apps that are deleted and whose content is still to be removed.
create table deleted_app (
  app_id uuid primary key,
  heard_at timestamptz not null
);
