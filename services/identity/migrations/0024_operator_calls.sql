-- What an operator called, with how it ended; `outcome` null beside a method: it has not ended, or nobody heard how.
alter table audit_entry add column method text;
alter table audit_entry add column request_id text;
-- done, refused or failed.
alter table audit_entry add column outcome text;
alter table audit_entry add column code text;
-- The object that it made or was about.
alter table audit_entry add column object_id uuid;
-- How many such calls the entry stands for; null: one.
alter table audit_entry add column count integer;
-- Whether the entry may have the id of a user, so that it goes with its application.
alter table audit_entry add column names_user boolean not null default true;

-- The role of the person of the console who got the token; null for tokens of an application's servers.
alter table access_token add column actor_role text;
