-- Announcements to an incarnation of these users before the version are given to them no more. The fan-out compares it with
-- the incarnation that was fixed when the announcement was made.
create table erased_user (
  app_id uuid not null,
  user_id text not null,
  version double precision not null,
  primary key (app_id, user_id)
);
