sequence block_version bigint start 1 increment 1
table access_token
  id uuid not null
  app_id uuid not null
  name text not null
  token_hash bytea not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone
  access text
  origin text
  actor_issuer text
  actor_subject text
  console_session_id uuid
  reads_content boolean not null default true
  actor_role text
  constraint access_token_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id)
  constraint access_token_pkey PRIMARY KEY (id)
  constraint access_token_token_hash_key UNIQUE (token_hash)
  CREATE INDEX access_token_by_app ON public.access_token USING btree (app_id, id)
  CREATE INDEX access_token_console_session ON public.access_token USING btree (console_session_id) WHERE (console_session_id IS NOT NULL)
table app
  id uuid not null
  name text not null
  environment text not null
  suspended boolean not null default false
  session_ttl_in_seconds bigint not null
  allowed_origins text[] not null default '{}'::text[]
  created_at timestamp with time zone not null
  deleted_at timestamp with time zone
  inline_body_bytes integer not null default 2048
  public_identity_fields text[] not null default '{}'::text[]
  cell smallint not null default 0
  user_directory text not null default 'nobody'::text
  constraint app_pkey PRIMARY KEY (id)
table app_removal
  app_id uuid not null
  at_table text not null default ''::text
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint app_removal_pkey PRIMARY KEY (app_id)
  CREATE INDEX app_removal_by_time ON public.app_removal USING btree (due_at)
  CREATE INDEX app_removal_by_turn ON public.app_removal USING btree (app_id, due_at)
table app_tombstone
  app_id uuid not null
  deleted_at timestamp with time zone not null
  constraint app_tombstone_pkey PRIMARY KEY (app_id)
table audit_entry
  id uuid not null
  app_id uuid
  action text not null
  actor text not null
  subject text not null
  created_at timestamp with time zone not null
  actor_issuer text
  actor_subject text
  method text
  request_id text
  outcome text
  code text
  object_id uuid
  count integer
  names_user boolean not null default true
  constraint audit_entry_pkey PRIMARY KEY (id)
  CREATE INDEX audit_entry_by_age ON public.audit_entry USING btree (created_at) WHERE (NOT ((action ~ '^(app|provider|key|access_token)[.]'::text) AND (action !~~ 'access_token.issued%'::text)))
  CREATE INDEX audit_entry_by_app ON public.audit_entry USING btree (app_id, id)
  CREATE INDEX audit_entry_by_object ON public.audit_entry USING btree (object_id, id) WHERE (object_id IS NOT NULL)
table automation_token
  id uuid not null
  name text not null
  token_hash bytea not null
  roles jsonb not null
  expires_at timestamp with time zone
  created_at timestamp with time zone not null
  constraint automation_token_name_key UNIQUE (name)
  constraint automation_token_pkey PRIMARY KEY (id)
  constraint automation_token_token_hash_key UNIQUE (token_hash)
table badge
  app_id uuid not null
  user_id text not null
  external_unread_count bigint not null
  constraint badge_pkey PRIMARY KEY (app_id, user_id)
table block
  app_id uuid not null
  owner_user_id text not null
  blocked_user_id text not null
  active boolean not null
  version bigint not null default nextval('block_version'::regclass)
  constraint block_pkey PRIMARY KEY (app_id, owner_user_id, blocked_user_id)
  CREATE INDEX block_by_active ON public.block USING btree (app_id, owner_user_id, blocked_user_id) WHERE active
  CREATE INDEX block_by_blocked ON public.block USING btree (app_id, blocked_user_id)
table console_session
  id uuid not null
  token_hash bytea not null
  issuer text not null
  subject text not null
  name text not null
  roles jsonb not null
  method text not null
  idle_seconds integer not null
  created_at timestamp with time zone not null
  used_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  constraint console_session_pkey PRIMARY KEY (id)
  constraint console_session_token_hash_key UNIQUE (token_hash)
  CREATE INDEX console_session_expires_at ON public.console_session USING btree (expires_at)
  CREATE INDEX console_session_person ON public.console_session USING btree (issuer, subject, id)
table consumed_event
  consumer text not null
  event_id uuid not null
  at timestamp with time zone not null default clock_timestamp()
  constraint consumed_event_pkey PRIMARY KEY (consumer, event_id)
  CREATE INDEX consumed_event_at ON public.consumed_event USING brin (at)
table database_epoch
  only_row boolean not null default true
  id uuid not null
  history text not null
  began_at timestamp with time zone
  constraint database_epoch_only_row_check CHECK (only_row)
  constraint database_epoch_pkey PRIMARY KEY (only_row)
table dead_letter
  consumer text not null
  event_id text not null
  subject text not null
  payload bytea not null
  error text not null
  at timestamp with time zone not null default clock_timestamp()
  constraint dead_letter_pkey PRIMARY KEY (consumer, event_id)
table deleted_conversation
  app_id uuid not null
  conversation_id uuid not null
  constraint deleted_conversation_pkey PRIMARY KEY (app_id, conversation_id)
table departure
  app_id uuid not null
  user_id text not null
  gone_user_id text not null
  version bigint not null
  at timestamp with time zone not null
  constraint departure_pkey PRIMARY KEY (app_id, user_id, gone_user_id, version)
  CREATE INDEX departure_by_age ON public.departure USING btree (at)
  CREATE INDEX departure_by_gone ON public.departure USING btree (app_id, gone_user_id, version, user_id)
table event_log
  id uuid not null
  at timestamp with time zone not null
  event bytea not null
  app_id uuid
  constraint event_log_pkey PRIMARY KEY (id)
  CREATE INDEX event_log_by_age ON public.event_log USING btree (at, id)
  CREATE INDEX event_log_by_app ON public.event_log USING btree (app_id, id) WHERE (app_id IS NOT NULL)
table figure
  app_id uuid not null
  minute timestamp with time zone not null
  messages bigint not null default 0
  scheduled_messages bigint not null default 0
  lateness_ms bigint not null default 0
  max_lateness_ms bigint not null default 0
  socket_deliveries bigint not null default 0
  webhook_deliveries bigint not null default 0
  failed_webhook_attempts bigint not null default 0
  push_deliveries bigint not null default 0
  failed_push_attempts bigint not null default 0
  requests bigint not null default 0
  limited_requests bigint not null default 0
  failed_requests bigint not null default 0
  sockets bigint not null default 0
  user_hashes bigint[] not null default '{}'::bigint[]
  constraint figure_pkey PRIMARY KEY (app_id, minute)
  CREATE INDEX figure_by_minute ON public.figure USING btree (minute)
table figure_process
  process_id uuid not null
  batch bigint not null
  seen_at timestamp with time zone not null
  constraint figure_process_pkey PRIMARY KEY (process_id)
  CREATE INDEX figure_process_by_time ON public.figure_process USING btree (seen_at)
table filled_stream
  name text not null
  made_at text not null
  lost_since timestamp with time zone
  losses integer not null default 0
  constraint filled_stream_pkey PRIMARY KEY (name)
table follow
  app_id uuid not null
  owner_user_id text not null
  target_user_id text not null
  followed boolean not null
  decided_at timestamp with time zone not null
  constraint follow_pkey PRIMARY KEY (app_id, owner_user_id, target_user_id)
  CREATE INDEX follow_by_target ON public.follow USING btree (app_id, target_user_id, owner_user_id)
table follow_request
  id uuid not null
  app_id uuid not null
  owner_user_id text not null
  target_user_ids text[] not null
  requested_at timestamp with time zone not null
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint follow_request_pkey PRIMARY KEY (id)
  CREATE INDEX follow_request_by_time ON public.follow_request USING btree (due_at)
  CREATE INDEX follow_request_by_turn ON public.follow_request USING btree (app_id, due_at, id)
table follower_notice
  app_id uuid not null
  event_id uuid not null
  user_id text not null
  event bytea not null
  told_until text not null default ''::text
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint follower_notice_pkey PRIMARY KEY (app_id, event_id)
  CREATE INDEX follower_notice_by_time ON public.follower_notice USING btree (due_at)
  CREATE INDEX follower_notice_by_turn ON public.follower_notice USING btree (app_id, due_at, event_id)
  CREATE INDEX follower_notice_by_user ON public.follower_notice USING btree (app_id, user_id)
table following_stamp
  app_id uuid not null
  user_id text not null
  stamp bigint not null default 1
  constraint following_stamp_pkey PRIMARY KEY (app_id, user_id)
table idempotency_key
  app_id uuid not null
  hash bytea not null
  fingerprint bytea not null
  operation_id uuid not null
  answer bytea
  created_at timestamp with time zone not null
  kept bytea
  kept_for uuid
  constraint idempotency_key_pkey PRIMARY KEY (app_id, hash)
  CREATE INDEX idempotency_key_by_age ON public.idempotency_key USING btree (created_at)
table idempotency_usage
  app_id uuid not null
  hour timestamp with time zone not null
  bytes bigint not null
  constraint idempotency_usage_pkey PRIMARY KEY (app_id, hour)
  CREATE INDEX idempotency_usage_by_hour ON public.idempotency_usage USING btree (hour)
table identity
  app_id uuid not null
  user_id text not null
  type smallint not null
  display_name text
  avatar_url text
  first_name text
  last_name text
  phone_number text
  email_address text
  public_key text
  metadata json not null default '{}'::json
  version bigint not null default 1
  suspended boolean not null default false
  deleted boolean not null default false
  incarnation bigint not null default 0
  words_version bigint
  constraint identity_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX identity_bots ON public.identity USING btree (app_id, user_id) WHERE ((type = 2) AND (NOT deleted))
  CREATE INDEX identity_by_display_name ON public.identity USING btree (app_id, lower(display_name) COLLATE "C") WHERE (NOT deleted)
  CREATE INDEX identity_returned ON public.identity USING btree (app_id, user_id) WHERE (incarnation > 0)
  CREATE INDEX identity_suspended ON public.identity USING btree (app_id, user_id) WHERE (suspended AND (NOT deleted))
  CREATE INDEX identity_without_words ON public.identity USING btree (app_id, user_id) WHERE (words_version IS DISTINCT FROM version)
table identity_change
  app_id uuid not null
  user_id text not null
  version bigint not null
  created_at timestamp with time zone not null
  created boolean not null
  fields text[] not null
  constraint identity_change_pkey PRIMARY KEY (app_id, user_id, version)
  CREATE INDEX identity_change_by_age ON public.identity_change USING btree (created_at)
table identity_word
  app_id uuid not null
  word text not null
  user_id text not null
  type smallint not null
  suspended boolean not null
  constraint identity_word_pkey PRIMARY KEY (app_id, word, user_id) INCLUDE (type, suspended)
  CREATE INDEX identity_word_by_user ON public.identity_word USING btree (app_id, user_id, word) INCLUDE (type, suspended)
table journal_entry
  id uuid not null
  at timestamp with time zone not null
  act json not null
  stored_at timestamp with time zone
  constraint journal_entry_pkey PRIMARY KEY (id)
  CREATE INDEX journal_entry_by_age ON public.journal_entry USING btree (stored_at)
  CREATE INDEX journal_entry_waiting ON public.journal_entry USING btree (id) WHERE (stored_at IS NULL)
table membership
  app_id uuid not null
  user_id text not null
  conversation_id uuid not null
  joined_seq bigint not null
  joined_at timestamp with time zone
  left_seq bigint
  merged boolean not null default false
  constraint membership_pkey PRIMARY KEY (app_id, user_id, conversation_id, joined_seq)
  CREATE INDEX membership_by_beginning ON public.membership USING btree (app_id, conversation_id, joined_seq)
  CREATE INDEX membership_by_conversation ON public.membership USING btree (app_id, conversation_id)
  CREATE INDEX membership_by_end ON public.membership USING btree (app_id, conversation_id, COALESCE(left_seq, '9223372036854775807'::bigint))
  CREATE INDEX membership_by_member ON public.membership USING btree (app_id, conversation_id, user_id, joined_seq) WHERE (joined_at IS NOT NULL)
table milestone
  seq bigint not null
  oldest_at timestamp with time zone not null
  at timestamp with time zone not null default clock_timestamp()
  constraint milestone_pkey PRIMARY KEY (seq)
table outbox
  id uuid not null
  subject text not null
  live text[] not null
  payload bytea not null
  headers text not null
  created_at timestamp with time zone not null default clock_timestamp()
  attempts integer not null default 0
  next_try_at timestamp with time zone not null default now()
  constraint outbox_pkey PRIMARY KEY (id)
  CREATE INDEX outbox_by_next_try ON public.outbox USING btree (next_try_at, id)
table outbox_dead_letter
  id uuid not null
  subject text not null
  live text[] not null
  payload bytea not null
  headers text not null
  created_at timestamp with time zone not null
  error text not null
  died_at timestamp with time zone not null default clock_timestamp()
  constraint outbox_dead_letter_pkey PRIMARY KEY (id)
table performed_operation
  id uuid not null
  name text not null
  result bytea
  at timestamp with time zone not null default clock_timestamp()
  constraint performed_operation_pkey PRIMARY KEY (id, name)
  CREATE INDEX performed_operation_by_age ON public.performed_operation USING btree (at)
table presence
  app_id uuid not null
  user_id text not null
  status smallint not null default 1
  last_seen_at timestamp with time zone
  changed_at timestamp with time zone not null
  version bigint not null default 0
  constraint presence_pkey PRIMARY KEY (app_id, user_id)
table presence_gateway
  gateway_id uuid not null
  seen_at timestamp with time zone not null
  constraint presence_gateway_pkey PRIMARY KEY (gateway_id)
table presence_hold
  app_id uuid not null
  user_id text not null
  gateway_id uuid not null
  constraint presence_hold_pkey PRIMARY KEY (app_id, user_id, gateway_id)
  CREATE INDEX presence_hold_by_gateway ON public.presence_hold USING btree (gateway_id)
table provider
  id uuid not null
  app_id uuid not null
  name text not null
  created_at timestamp with time zone not null
  deleted_at timestamp with time zone
  constraint provider_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id)
  constraint provider_pkey PRIMARY KEY (id)
  CREATE INDEX provider_by_app ON public.provider USING btree (app_id, id)
table provider_key
  id uuid not null
  provider_id uuid not null
  public_key text not null
  disabled boolean not null default false
  created_at timestamp with time zone not null
  deleted_at timestamp with time zone
  constraint provider_key_pkey PRIMARY KEY (id)
  constraint provider_key_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id)
  CREATE INDEX provider_key_by_provider ON public.provider_key USING btree (provider_id, id)
table published_mark
  id uuid not null
  seq bigint not null
  subject text not null
  message_id text not null
  oldest_at timestamp with time zone not null
  constraint published_mark_pkey PRIMARY KEY (id)
table push_token
  app_id uuid not null
  user_id text not null
  device_id text not null
  type text not null
  token text not null
  details json not null
  updated_at timestamp with time zone not null
  session_id uuid
  constraint push_token_pkey PRIMARY KEY (app_id, user_id, device_id)
  CREATE INDEX push_token_by_token ON public.push_token USING btree (app_id, md5(token))
table recent_event
  id uuid not null
  at timestamp with time zone not null
  subject text not null
  payload bytea not null
  constraint recent_event_pkey PRIMARY KEY (id)
table revocation
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
  app_id uuid not null
  session_id uuid
  access_token_id uuid
  user_id text
  created_at timestamp with time zone not null
  constraint revocation_check CHECK ((num_nonnulls(session_id, access_token_id, user_id) <= 1))
  CREATE INDEX revocation_by_age ON public.revocation USING btree (created_at)
  CREATE INDEX revocation_by_xid ON public.revocation USING btree (xid)
table revocation_horizon
  only_row boolean not null default true
  xid bigint not null
  constraint revocation_horizon_only_row_check CHECK (only_row)
  constraint revocation_horizon_pkey PRIMARY KEY (only_row)
table session
  id uuid not null
  app_id uuid not null
  user_id text not null
  token_hash bytea not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  constraint session_pkey PRIMARY KEY (id)
  constraint session_token_hash_key UNIQUE (token_hash)
  CREATE INDEX session_by_expiry ON public.session USING btree (expires_at)
  CREATE INDEX session_by_user ON public.session USING btree (app_id, user_id, id)
table sign_in_code
  hash bytea not null
  expires_at timestamp with time zone not null
  constraint sign_in_code_pkey PRIMARY KEY (hash)
  CREATE INDEX sign_in_code_expires_at ON public.sign_in_code USING btree (expires_at)
table used_nonce
  hash bytea not null
  expires_at timestamp with time zone not null
  constraint used_nonce_pkey PRIMARY KEY (hash)
  CREATE INDEX used_nonce_by_expiry ON public.used_nonce USING btree (expires_at)
