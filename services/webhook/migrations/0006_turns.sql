-- What an event makes of many webhooks or notices is made in turn, like “all read”. Of whom it tells, for an erasure.
alter table expansion
  add column subject_user_id text,
  add column event_at timestamptz;
create index expansion_by_subject_and_time on expansion (app_id, subject_user_id, event_at)
  where subject_user_id is not null;

-- Verifications are claimed in turn. The release before goes on using webhook_to_verify.
create index webhook_to_verify_by_turn on webhook (app_id, verify_at) where verify_at is not null;
