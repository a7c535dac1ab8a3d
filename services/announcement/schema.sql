table announcement
  app_id uuid not null
  id uuid not null
  request_id uuid not null
  sender_id text not null
  sent_at timestamp with time zone not null
  body bytea not null
  recipient_count bigint not null
  named_recipients text[] not null
  deleted_at timestamp with time zone
  sender_incarnation double precision
  constraint announcement_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX announcement_by_sender ON public.announcement USING btree (app_id, sender_id)
  CREATE INDEX announcement_by_sender_and_id ON public.announcement USING btree (app_id, sender_id, id)
  CREATE INDEX announcement_to_withdraw ON public.announcement USING btree (app_id, sender_id, id) WHERE (deleted_at IS NULL)
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
table erased_user
  app_id uuid not null
  user_id text not null
  version double precision not null
  constraint erased_user_pkey PRIMARY KEY (app_id, user_id)
table erasure
  app_id uuid not null
  user_id text not null
  requested_at timestamp with time zone not null default clock_timestamp()
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  taken_back_announcement uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  taken_back_user text not null default ''::text
  version double precision not null default 1
  constraint erasure_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX erasure_by_time ON public.erasure USING btree (due_at)
  CREATE INDEX erasure_by_turn ON public.erasure USING btree (app_id, due_at, requested_at, user_id)
table event_log
  id uuid not null
  at timestamp with time zone not null
  event bytea not null
  app_id uuid
  constraint event_log_pkey PRIMARY KEY (id)
  CREATE INDEX event_log_by_age ON public.event_log USING btree (at, id)
  CREATE INDEX event_log_by_app ON public.event_log USING btree (app_id, id) WHERE (app_id IS NOT NULL)
table fan_out
  app_id uuid not null
  announcement_id uuid not null
  slice integer not null
  sent_at timestamp with time zone not null
  user_ids text[] not null
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  returned_user_ids text[] not null default '{}'::text[]
  returned_incarnations double precision[] not null default '{}'::double precision[]
  constraint fan_out_pkey PRIMARY KEY (app_id, announcement_id, slice)
  CREATE INDEX fan_out_by_age ON public.fan_out USING btree (sent_at, announcement_id, slice)
  CREATE INDEX fan_out_by_time ON public.fan_out USING btree (due_at)
  CREATE INDEX fan_out_by_turn ON public.fan_out USING btree (app_id, due_at, sent_at, announcement_id, slice)
table filled_stream
  name text not null
  made_at text not null
  lost_since timestamp with time zone
  losses integer not null default 0
  constraint filled_stream_pkey PRIMARY KEY (name)
table inbox
  app_id uuid not null
  user_id text not null
  head bigint not null
  listed bigint not null
  unread bigint not null
  constraint inbox_pkey PRIMARY KEY (app_id, user_id)
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
table received
  app_id uuid not null
  user_id text not null
  position bigint not null
  announcement_id uuid not null
  received_at timestamp with time zone not null
  delivered_at timestamp with time zone
  read_at timestamp with time zone
  deleted_at timestamp with time zone
  changed_at timestamp with time zone not null
  incarnation double precision
  constraint received_pkey PRIMARY KEY (app_id, user_id, "position")
  CREATE UNIQUE INDEX received_by_announcement ON public.received USING btree (app_id, announcement_id, user_id)
  CREATE INDEX received_by_change ON public.received USING btree (app_id, user_id, changed_at)
  CREATE INDEX received_by_place ON public.received USING btree (app_id, user_id, "position" DESC) WHERE (deleted_at IS NULL)
table recent_event
  id uuid not null
  at timestamp with time zone not null
  subject text not null
  payload bytea not null
  constraint recent_event_pkey PRIMARY KEY (id)
