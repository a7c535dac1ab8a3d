-- When the notification was taken away from the device.
alter table delivery add column withdrawn_at timestamptz;
-- Of a silent push that takes notifications away, one for each device until it is sent: grows when it is asked for again
-- meanwhile. Null: a push.
alter table delivery add column withdrawal_version integer;
create unique index delivery_of_withdrawal on delivery (app_id, user_id, device_id) where withdrawal_version is not null;
-- By which a hint finds the notifications that phones may show.
create index delivery_to_withdraw on delivery (app_id, conversation_id, user_id)
  where status in (1, 2) and message_id is not null and provider <> 'web' and withdrawn_at is null;
-- The notifications of a phone.
create index delivery_shown on delivery (app_id, user_id, device_id, id)
  where status = 2 and message_id is not null and provider <> 'web';
