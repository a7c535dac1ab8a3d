-- The longest body of a part, in bytes of UTF-8.
alter table app add column inline_body_bytes integer not null default 2048;
