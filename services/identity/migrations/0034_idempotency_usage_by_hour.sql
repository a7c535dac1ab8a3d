-- no transaction
-- What is forgotten by its age.
drop index concurrently if exists idempotency_usage_by_hour;
create index concurrently idempotency_usage_by_hour on idempotency_usage (hour);
