-- Append-only deltas of how many deliveries of a webhook have a status, so that what many processes settle does not queue
-- for one row; a timer folds them.
create table delivery_count (
  app_id uuid not null,
  webhook_id uuid not null,
  -- parley.webhook.v1.DeliveryStatus
  status smallint not null,
  delta bigint not null
);
create index delivery_count_by_webhook on delivery_count (app_id, webhook_id, status) include (delta);

insert into delivery_count (app_id, webhook_id, status, delta)
select app_id, webhook_id, status, count(*) from delivery group by app_id, webhook_id, status;
