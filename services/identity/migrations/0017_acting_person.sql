-- The person who did it, by issuer and subject; null: the administration token, or the application's own servers.
alter table audit_entry add column actor_issuer text;
alter table audit_entry add column actor_subject text;

-- Of a token that a person of the console got for a few minutes: read or write, the page that may use it, the person, and the
-- session with which it ends. Null for tokens of an application's servers.
alter table access_token add column access text;
alter table access_token add column origin text;
alter table access_token add column actor_issuer text;
alter table access_token add column actor_subject text;
alter table access_token add column console_session_id uuid;

create index access_token_console_session on access_token (console_session_id) where console_session_id is not null;
