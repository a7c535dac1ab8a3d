-- The session that registered a push token, which ends with it; null: a server registered it, or the release before.
alter table push_token add column session_id uuid;
