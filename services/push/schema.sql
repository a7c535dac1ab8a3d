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
table consumed_event
  consumer text not null
  event_id uuid not null
  at timestamp with time zone not null default clock_timestamp()
  constraint consumed_event_pkey PRIMARY KEY (consumer, event_id)
  CREATE INDEX consumed_event_at ON public.consumed_event USING brin (at)
table credentials
  app_id uuid not null
  provider text not null
  shown json not null
  sealed bytea not null
  updated_at timestamp with time zone not null
  constraint credentials_pkey PRIMARY KEY (app_id, provider)
table dead_letter
  consumer text not null
  event_id text not null
  subject text not null
  payload bytea not null
  error text not null
  at timestamp with time zone not null default clock_timestamp()
  constraint dead_letter_pkey PRIMARY KEY (consumer, event_id)
table delivery
  app_id uuid not null
  target_id uuid not null
  id uuid not null
  event_id uuid not null
  user_id text not null
  device_id text not null
  provider text not null
  conversation_id uuid
  message_id uuid
  sender_id text
  status smallint not null default 1
  created_at timestamp with time zone not null
  due_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  settled_at timestamp with time zone
  claimed_by uuid
  attempts integer not null default 0
  reason text
  content bytea
  is_awaited boolean not null default false
  withdrawn_at timestamp with time zone
  withdrawal_version integer
  traceparent text
  constraint delivery_pkey PRIMARY KEY (app_id, target_id, id)
  CREATE INDEX delivery_by_claim ON public.delivery USING btree (claimed_by) WHERE (claimed_by IS NOT NULL)
  CREATE UNIQUE INDEX delivery_by_event ON public.delivery USING btree (app_id, event_id, device_id)
  CREATE INDEX delivery_by_sender ON public.delivery USING btree (app_id, sender_id, id) WHERE ((content IS NOT NULL) AND (sender_id IS NOT NULL))
  CREATE INDEX delivery_by_user ON public.delivery USING btree (app_id, user_id, id)
  CREATE INDEX delivery_due ON public.delivery USING btree (app_id, target_id, due_at) WHERE ((status = 1) AND (claimed_by IS NULL))
  CREATE UNIQUE INDEX delivery_of_withdrawal ON public.delivery USING btree (app_id, user_id, device_id) WHERE (withdrawal_version IS NOT NULL)
  CREATE INDEX delivery_settled ON public.delivery USING btree (settled_at) WHERE (status <> 1)
  CREATE INDEX delivery_shown ON public.delivery USING btree (app_id, user_id, device_id, id) WHERE ((status = 2) AND (message_id IS NOT NULL) AND (provider <> 'web'::text))
  CREATE INDEX delivery_to_withdraw ON public.delivery USING btree (app_id, conversation_id, user_id) WHERE ((status = ANY (ARRAY[1, 2])) AND (message_id IS NOT NULL) AND (provider <> 'web'::text) AND (withdrawn_at IS NULL))
table erased_user
  app_id uuid not null
  user_id text not null
  erased_at timestamp with time zone not null
  constraint erased_user_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX erased_user_by_age ON public.erased_user USING btree (erased_at)
table erasure
  app_id uuid not null
  user_id text not null
  erased_at timestamp with time zone not null
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint erasure_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX erasure_by_time ON public.erasure USING btree (due_at)
  CREATE INDEX erasure_by_turn ON public.erasure USING btree (app_id, due_at, erased_at, user_id)
table filled_stream
  name text not null
  made_at text not null
  lost_since timestamp with time zone
  losses integer not null default 0
  constraint filled_stream_pkey PRIMARY KEY (name)
table gone_item
  app_id uuid not null
  list_id text not null
  id uuid not null
  place timestamp with time zone
  gone_at timestamp with time zone not null default clock_timestamp()
  constraint gone_item_pkey PRIMARY KEY (app_id, list_id, id)
  CREATE INDEX gone_item_by_age ON public.gone_item USING btree (gone_at)
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
table published_mark
  id uuid not null
  seq bigint not null
  subject text not null
  message_id text not null
  oldest_at timestamp with time zone not null
  constraint published_mark_pkey PRIMARY KEY (id)
table push_settings
  app_id uuid not null
  ids_only boolean not null default false
  collapse_by_conversation boolean not null default false
  skip_connected_users boolean not null default false
  constraint push_settings_pkey PRIMARY KEY (app_id)
table recent_event
  id uuid not null
  at timestamp with time zone not null
  subject text not null
  payload bytea not null
  constraint recent_event_pkey PRIMARY KEY (id)
table vapid_key
  app_id uuid not null
  public_key text not null
  private_key bytea not null
  created_at timestamp with time zone not null
  constraint vapid_key_pkey PRIMARY KEY (app_id)
table worker
  id uuid not null
  seen_at timestamp with time zone not null default clock_timestamp()
  constraint worker_pkey PRIMARY KEY (id)
