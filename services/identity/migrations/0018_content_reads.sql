-- Whether a token that a person of the console got shows messages; true for tokens of an application's servers.
alter table access_token add column reads_content boolean not null default true;
