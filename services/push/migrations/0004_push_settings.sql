-- How pushes of an application are sent; an application without a row has set nothing.
create table push_settings (
  app_id uuid primary key,
  ids_only boolean not null default false,
  collapse_by_conversation boolean not null default false,
  skip_connected_users boolean not null default false
);
