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
  webhook_id uuid not null
  id uuid not null
  notice_id uuid not null
  status smallint not null default 1
  created_at timestamp with time zone not null
  due_at timestamp with time zone not null
  settled_at timestamp with time zone
  claimed_by uuid
  attempt_count integer not null default 0
  tries integer not null default 0
  attempts jsonb not null default '[]'::jsonb
  constraint delivery_pkey PRIMARY KEY (app_id, webhook_id, id)
  CREATE INDEX delivery_by_claim ON public.delivery USING btree (claimed_by) WHERE (claimed_by IS NOT NULL)
  CREATE UNIQUE INDEX delivery_by_notice ON public.delivery USING btree (app_id, notice_id, webhook_id)
  CREATE INDEX delivery_by_status ON public.delivery USING btree (app_id, webhook_id, status, id)
  CREATE INDEX delivery_due ON public.delivery USING btree (app_id, webhook_id, due_at) WHERE ((status = 1) AND (claimed_by IS NULL))
  CREATE INDEX delivery_settled ON public.delivery USING btree (status, settled_at) WHERE (status <> 1)
table delivery_count
  app_id uuid not null
  webhook_id uuid not null
  status smallint not null
  delta bigint not null
  CREATE INDEX delivery_count_by_webhook ON public.delivery_count USING btree (app_id, webhook_id, status) INCLUDE (delta)
table erased_user
  app_id uuid not null
  user_id text not null
  version double precision not null
  constraint erased_user_pkey PRIMARY KEY (app_id, user_id)
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
table expansion
  app_id uuid not null
  event_id uuid not null
  event bytea not null
  webhook_ids uuid[] not null
  next_position bigint not null default 0
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  subject_user_id text
  event_at timestamp with time zone
  subject_incarnation double precision
  traceparent text
  constraint expansion_pkey PRIMARY KEY (app_id, event_id)
  CREATE INDEX expansion_by_subject_and_time ON public.expansion USING btree (app_id, subject_user_id, event_at) WHERE (subject_user_id IS NOT NULL)
  CREATE INDEX expansion_by_time ON public.expansion USING btree (due_at)
  CREATE INDEX expansion_by_turn ON public.expansion USING btree (app_id, due_at, event_id)
table gone_item
  app_id uuid not null
  list_id text not null
  id uuid not null
  place timestamp with time zone
  gone_at timestamp with time zone not null default clock_timestamp()
  constraint gone_item_pkey PRIMARY KEY (app_id, list_id, id)
  CREATE INDEX gone_item_by_age ON public.gone_item USING btree (gone_at)
table notice
  app_id uuid not null
  id uuid not null
  type text not null
  event_at timestamp with time zone not null
  subject_user_id text
  event bytea not null
  subject_incarnation double precision
  traceparent text
  constraint notice_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX notice_by_subject ON public.notice USING btree (app_id, subject_user_id) WHERE (subject_user_id IS NOT NULL)
  CREATE INDEX notice_by_subject_and_time ON public.notice USING btree (app_id, subject_user_id, event_at) WHERE (subject_user_id IS NOT NULL)
table performed_operation
  id uuid not null
  name text not null
  result bytea
  at timestamp with time zone not null default clock_timestamp()
  constraint performed_operation_pkey PRIMARY KEY (id, name)
  CREATE INDEX performed_operation_by_age ON public.performed_operation USING btree (at)
table removed_webhook
  app_id uuid not null
  id uuid not null
  removed_at timestamp with time zone not null
  constraint removed_webhook_pkey PRIMARY KEY (app_id, id)
table webhook
  app_id uuid not null
  id uuid not null
  version text not null
  target_url text not null
  events text[] not null
  secrets bytea not null
  config json
  status smallint not null
  status_reason text
  created_at timestamp with time zone not null
  verification_id uuid
  verify_at timestamp with time zone
  resuming boolean not null default false
  accepts_from timestamp with time zone not null
  failing_since timestamp with time zone
  constraint webhook_check CHECK (((status = 1) = ((verify_at IS NOT NULL) AND (verification_id IS NOT NULL))))
  constraint webhook_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX webhook_to_verify ON public.webhook USING btree (verify_at) WHERE (verify_at IS NOT NULL)
  CREATE INDEX webhook_to_verify_by_turn ON public.webhook USING btree (app_id, verify_at) WHERE (verify_at IS NOT NULL)
table worker
  id uuid not null
  seen_at timestamp with time zone not null default clock_timestamp()
  constraint worker_pkey PRIMARY KEY (id)
