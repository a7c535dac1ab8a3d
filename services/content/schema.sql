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
table content
  app_id uuid not null
  id uuid not null
  status smallint not null default 1
  user_id text
  by_server boolean not null
  conversation_id uuid
  size bigint not null
  content_type text not null
  origin text
  token_hash bytea not null
  created_at timestamp with time zone not null
  active_at timestamp with time zone not null
  stored bigint not null default 0
  store_upload_id text
  next_part integer not null default 1
  lease_id uuid
  lease_until timestamp with time zone
  uploaded_at timestamp with time zone
  unreferenced_since timestamp with time zone
  ended_at timestamp with time zone
  purged_at timestamp with time zone
  purge_due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  purge_attempts integer not null default 0
  incarnation double precision
  filename text
  counted boolean not null default false
  constraint content_pkey PRIMARY KEY (app_id, id)
  constraint content_token_hash_key UNIQUE (token_hash)
  CREATE INDEX content_to_collect ON public.content USING btree (unreferenced_since) WHERE (status = 2)
  CREATE INDEX content_to_count ON public.content USING btree (app_id, id) WHERE (counted <> ((status = 1) OR ((status = 2) AND (unreferenced_since IS NOT NULL))))
  CREATE INDEX content_to_erase ON public.content USING btree (app_id, user_id, id) WHERE ((status = 1) OR ((status = 2) AND (unreferenced_since IS NOT NULL)))
  CREATE INDEX content_to_expire ON public.content USING btree (created_at) WHERE (status = 1)
  CREATE INDEX content_to_forget ON public.content USING btree (purged_at) WHERE (purged_at IS NOT NULL)
  CREATE INDEX content_to_purge ON public.content USING btree (ended_at) WHERE ((status > 2) AND (purged_at IS NULL))
  CREATE INDEX content_to_purge_by_turn ON public.content USING btree (app_id, purge_due_at, ended_at) WHERE ((status > 2) AND (purged_at IS NULL))
  CREATE INDEX content_under_way ON public.content USING btree (app_id, user_id, active_at) WHERE (status = 1)
table content_message
  app_id uuid not null
  id uuid not null
  conversation_id uuid not null
  sender_id text not null
  seq bigint not null default 0
  claimed_at timestamp with time zone not null
  confirmed boolean not null default false
  deleted_at timestamp with time zone
  incarnation double precision
  constraint content_message_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX content_message_by_conversation ON public.content_message USING btree (app_id, conversation_id)
  CREATE INDEX content_message_by_sender ON public.content_message USING btree (app_id, sender_id)
  CREATE INDEX content_message_to_confirm ON public.content_message USING btree (claimed_at) WHERE ((NOT confirmed) AND (deleted_at IS NULL))
  CREATE INDEX content_message_to_confirm_by_turn ON public.content_message USING btree (app_id, claimed_at) WHERE ((NOT confirmed) AND (deleted_at IS NULL))
  CREATE INDEX content_message_to_erase ON public.content_message USING btree (app_id, sender_id, id) WHERE (deleted_at IS NULL)
  CREATE INDEX content_message_to_forget ON public.content_message USING btree (deleted_at) WHERE (deleted_at IS NOT NULL)
  CREATE INDEX content_message_to_release ON public.content_message USING btree (app_id, conversation_id, id) WHERE (deleted_at IS NULL)
table content_part
  app_id uuid not null
  content_id uuid not null
  start bigint not null
  number integer not null
  size bigint not null
  tag text not null
  staged boolean not null
  constraint content_part_pkey PRIMARY KEY (app_id, content_id, start)
  CREATE INDEX content_part_staged ON public.content_part USING btree (app_id, content_id) WHERE staged
table content_reference
  app_id uuid not null
  content_id uuid not null
  message_id uuid not null
  constraint content_reference_pkey PRIMARY KEY (app_id, content_id, message_id)
  CREATE INDEX content_reference_by_message ON public.content_reference USING btree (app_id, message_id)
table content_usage
  app_id uuid not null
  user_id text not null
  bytes bigint not null
  constraint content_usage_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX content_usage_empty ON public.content_usage USING btree (app_id, user_id) WHERE (bytes = 0)
table dead_letter
  consumer text not null
  event_id text not null
  subject text not null
  payload bytea not null
  error text not null
  at timestamp with time zone not null default clock_timestamp()
  constraint dead_letter_pkey PRIMARY KEY (consumer, event_id)
table deleted_app
  app_id uuid not null
  heard_at timestamp with time zone not null
  ended_until uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  due_at timestamp with time zone not null default (clock_timestamp() + '00:01:00'::interval)
  attempts integer not null default 0
  constraint deleted_app_pkey PRIMARY KEY (app_id)
  CREATE INDEX deleted_app_by_time ON public.deleted_app USING btree (due_at)
  CREATE INDEX deleted_app_by_turn ON public.deleted_app USING btree (app_id, due_at)
table deleted_conversation
  app_id uuid not null
  conversation_id uuid not null
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint deleted_conversation_pkey PRIMARY KEY (app_id, conversation_id)
  CREATE INDEX deleted_conversation_by_time ON public.deleted_conversation USING btree (due_at)
  CREATE INDEX deleted_conversation_by_turn ON public.deleted_conversation USING btree (app_id, due_at, conversation_id)
table erasure
  app_id uuid not null
  user_id text not null
  erased_at timestamp with time zone not null default clock_timestamp()
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  version double precision not null default 1
  constraint erasure_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX erasure_by_time ON public.erasure USING btree (due_at)
  CREATE INDEX erasure_by_turn ON public.erasure USING btree (app_id, due_at, erased_at, user_id)
