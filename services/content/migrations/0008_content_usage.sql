-- The bytes of content to which no message refers, uploads under way with their declared size, by user; those of '' are of the whole
-- application. They have the contents that are `counted`, which lags behind what became of a content until the next upload begins.
create table content_usage (
  app_id uuid not null,
  user_id text collate "C" not null,
  bytes bigint not null,
  primary key (app_id, user_id)
);
create index content_usage_empty on content_usage (app_id, user_id) where bytes = 0;
alter table content add column counted boolean not null default false;
