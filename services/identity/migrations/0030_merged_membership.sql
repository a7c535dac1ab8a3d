-- Whether a row stands for several periods of its user in the conversation, from the first join to the last leave of them.
alter table membership add column merged boolean not null default false;
