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
table erased_person
  app_id uuid not null
  user_id text not null
  erased_at timestamp with time zone not null
  version double precision not null default 0
  constraint erased_person_pkey PRIMARY KEY (app_id, user_id)
table export
  app_id uuid not null
  id uuid not null
  type integer not null
  status integer not null
  status_reason text
  created_at timestamp with time zone not null
  started_at timestamp with time zone
  completed_at timestamp with time zone
  expired_at timestamp with time zone
  failures integer not null default 0
  due_at timestamp with time zone not null
  run_id uuid
  public_key text
  padding integer
  after_number bigint
  last_number bigint
  events text[]
  archive_size bigint
  archive_sha256 bytea
  encrypted_aes_key bytea
  aes_iv bytea
  constraint export_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX export_due ON public.export USING btree (due_at) WHERE (completed_at IS NULL)
  CREATE INDEX export_due_by_app ON public.export USING btree (app_id, due_at) WHERE (completed_at IS NULL)
  CREATE INDEX export_expired ON public.export USING btree (expired_at) WHERE (expired_at IS NOT NULL)
table export_blob
  key text not null
  app_id uuid not null
  export_id uuid not null
  run_id uuid not null
  constraint export_blob_pkey PRIMARY KEY (key)
  CREATE INDEX export_blob_by_export ON public.export_blob USING btree (app_id, export_id)
table export_key
  app_id uuid not null
  public_key text not null
  padding integer not null
  registered_at timestamp with time zone not null
  constraint export_key_pkey PRIMARY KEY (app_id)
table export_schedule
  app_id uuid not null
  interval integer not null
  events text[] not null
  hour_utc integer not null
  last_export_at timestamp with time zone
  last_export_id uuid
  next_export_at timestamp with time zone
  exported_until bigint not null default 0
  constraint export_schedule_pkey PRIMARY KEY (app_id)
  CREATE INDEX export_schedule_due ON public.export_schedule USING btree (next_export_at) WHERE (next_export_at IS NOT NULL)
table historical_request
  app_id uuid not null
  export_id uuid not null
  requested_at timestamp with time zone not null
  constraint historical_request_pkey PRIMARY KEY (app_id)
table journal
  app_id uuid not null
  number bigint not null
  kind text not null
  at timestamp with time zone not null
  event bytea not null
  constraint journal_pkey PRIMARY KEY (app_id, number)
  CREATE INDEX journal_by_time ON public.journal USING btree (app_id, at, number)
table journal_head
  app_id uuid not null
  number bigint not null default 0
  is_open boolean not null
  opened_at timestamp with time zone not null
  compared_until timestamp with time zone
  constraint journal_head_pkey PRIMARY KEY (app_id)
