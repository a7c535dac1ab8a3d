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
table block_copy
  app_id uuid not null
  blocked_user_id text not null
  owner_user_id text not null
  active boolean not null default true
  version double precision not null default 0
  constraint block_copy_pkey PRIMARY KEY (app_id, blocked_user_id, owner_user_id)
  CREATE INDEX block_copy_by_owner ON public.block_copy USING btree (app_id, owner_user_id, blocked_user_id)
table block_erasure
  app_id uuid not null
  user_id text not null
  blocks_until double precision not null
  constraint block_erasure_pkey PRIMARY KEY (app_id, user_id)
table block_version
  app_id uuid not null
  blocked_user_id text not null
  owner_user_id text not null
  version double precision not null
  constraint block_version_pkey PRIMARY KEY (app_id, blocked_user_id, owner_user_id)
table change partition by RANGE (created_at)
  app_id uuid not null
  conversation_id uuid not null
  seq bigint not null
  created_at timestamp with time zone not null
  only_user_ids text[] not null default '{}'::text[]
  event bytea not null
  CREATE INDEX change_by_seq ON ONLY public.change USING btree (app_id, conversation_id, seq)
  CREATE INDEX change_by_time ON ONLY public.change USING brin (created_at) WITH (pages_per_range='16', autosummarize='on')
table change_horizon
  only_row boolean not null default true
  dropped_until timestamp with time zone not null
  constraint change_horizon_only_row_check CHECK (only_row)
  constraint change_horizon_pkey PRIMARY KEY (only_row)
table consumed_event
  consumer text not null
  event_id uuid not null
  at timestamp with time zone not null default clock_timestamp()
  constraint consumed_event_pkey PRIMARY KEY (consumer, event_id)
  CREATE INDEX consumed_event_at ON public.consumed_event USING brin (at)
table conversation
  app_id uuid not null
  id uuid not null
  created_at timestamp with time zone not null
  created_by text
  request_id uuid
  distinct_key bytea
  metadata json not null
  seq bigint not null default 0
  members_seq bigint not null default 0
  head bigint not null default 0
  excluded_count bigint not null default 0
  deleted_count bigint not null default 0
  last_message_at timestamp with time zone not null
  changed_at timestamp with time zone not null
  audience_shards bit(64) not null default '0'::bit(64)
  deleted_at timestamp with time zone
  has_versions boolean not null default false
  type text
  frozen_at timestamp with time zone
  frozen_by text
  slow_mode integer
  side_tables integer not null default 0
  constraint conversation_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX conversation_by_creation ON public.conversation USING btree (app_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL)
  CREATE INDEX conversation_by_type ON public.conversation USING btree (app_id, type) WHERE ((type IS NOT NULL) AND (deleted_at IS NULL))
  CREATE UNIQUE INDEX conversation_distinct ON public.conversation USING btree (app_id, distinct_key) WHERE (distinct_key IS NOT NULL)
table conversation_block
  app_id uuid not null
  conversation_id uuid not null
  block bigint not null
  low bytea not null
  deleted bytea not null
  constraint conversation_block_pkey PRIMARY KEY (app_id, conversation_id, block)
table conversation_count
  app_id uuid not null
  delta bigint not null
  CREATE INDEX conversation_count_by_app ON public.conversation_count USING btree (app_id) INCLUDE (delta)
table conversation_type
  app_id uuid not null
  name text not null
  rules json not null
  version uuid not null
  constraint conversation_type_pkey PRIMARY KEY (app_id, name)
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
table erasure
  app_id uuid not null
  user_id text not null
  done_until uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
  requested_at timestamp with time zone not null default clock_timestamp()
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  done_position bigint not null default 0
  version double precision not null default 1
  constraint erasure_pkey PRIMARY KEY (app_id, user_id)
  CREATE INDEX erasure_by_time ON public.erasure USING btree (due_at)
  CREATE INDEX erasure_by_turn ON public.erasure USING btree (app_id, due_at, requested_at, user_id)
  CREATE TRIGGER continue_erasure AFTER DELETE ON public.erasure FOR EACH ROW EXECUTE FUNCTION continue_erasure()
table event_interest
  app_id uuid not null
  consumer text not null
  version xid8 not null default pg_current_xact_id()
  fill_since timestamp with time zone
  constraint event_interest_pkey PRIMARY KEY (app_id, consumer)
table export_cut
  app_id uuid not null
  cut_id uuid not null
  chunk integer not null
  conversation_ids uuid[] not null
  heads bigint[] not null
  created_at timestamp with time zone not null default clock_timestamp()
  constraint export_cut_pkey PRIMARY KEY (app_id, cut_id, chunk)
  CREATE INDEX export_cut_by_age ON public.export_cut USING btree (created_at)
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
table hidden_unread
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  sender_id text not null
  constraint hidden_unread_pkey PRIMARY KEY (app_id, conversation_id, user_id, sender_id)
table identity_copy
  app_id uuid not null
  user_id text not null
  display_name text
  avatar_url text
  is_bot boolean not null default false
  version double precision not null
  deleted boolean not null default false
  incarnation double precision not null default 0
  participations_from double precision not null default 0
  restriction json
  constraint identity_copy_pkey PRIMARY KEY (app_id, user_id)
table list_place
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  withheld_until bigint not null
  message_at timestamp with time zone not null
  constraint list_place_pkey PRIMARY KEY (app_id, conversation_id, user_id)
table live_publisher
  id uuid not null
  published_until timestamp with time zone not null
  seen_at timestamp with time zone not null default clock_timestamp()
  constraint live_publisher_pkey PRIMARY KEY (id)
table message
  app_id uuid not null
  conversation_id uuid not null
  position bigint not null
  id uuid not null
  request_id uuid
  sender_id text not null
  sent_at timestamp with time zone not null
  updated_at timestamp with time zone
  low boolean not null default false
  body bytea not null
  deleted_at timestamp with time zone
  deleted_by text
  incarnation double precision
  deleted_by_incarnation double precision
  shadowed boolean
  constraint message_pkey PRIMARY KEY (app_id, conversation_id, "position")
  CREATE UNIQUE INDEX message_by_id ON public.message USING btree (app_id, id)
  CREATE INDEX message_shadowed ON public.message USING btree (app_id, conversation_id, sender_id, "position") WHERE shadowed
  CREATE TRIGGER delete_message_versions AFTER UPDATE OF deleted_at ON public.message FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION delete_message_versions()
  CREATE TRIGGER delete_reactions AFTER UPDATE OF deleted_at ON public.message FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION delete_reactions()
table message_version
  app_id uuid not null
  conversation_id uuid not null
  position bigint not null
  seq bigint not null
  body bytea not null
  updated_at timestamp with time zone
  edited_at timestamp with time zone not null
  edited_by text
  kept_for text[] not null default '{}'::text[]
  constraint message_version_pkey PRIMARY KEY (app_id, conversation_id, "position", seq)
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
table outside_sender
  app_id uuid not null
  user_id text not null
  conversation_id uuid not null
  constraint outside_sender_pkey PRIMARY KEY (app_id, user_id, conversation_id)
table page_end
  app_id uuid not null
  user_id text not null
  conversation_id uuid not null
  listed_at timestamp with time zone not null
  shown_at timestamp with time zone not null
  constraint page_end_pkey PRIMARY KEY (app_id, user_id, conversation_id)
  CREATE INDEX page_end_by_age ON public.page_end USING btree (shown_at)
table participant
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  member int8multirange not null
  joined_seq bigint not null
  left_seq bigint
  left_head bigint
  left_message_at timestamp with time zone
  owed int8multirange not null
  read_until bigint not null default 0
  delivered_until bigint not null default 0
  hidden_until bigint not null default 0
  covered_count bigint not null default 0
  hidden_count bigint not null default 0
  unlisted_at bigint
  incarnation double precision
  left_metadata json
  left_metadata_seq bigint
  unseen int8multirange
  role text
  slow_sent_at timestamp with time zone
  constraint participant_check CHECK (((left_seq IS NULL) = (left_head IS NULL)))
  constraint participant_pkey PRIMARY KEY (app_id, conversation_id, user_id)
  CREATE INDEX participant_by_user ON public.participant USING btree (app_id, user_id, conversation_id)
  CREATE INDEX participant_unseen ON public.participant USING btree (app_id, conversation_id) WHERE (unseen IS NOT NULL)
  CREATE TRIGGER keep_participation_erased BEFORE UPDATE OF incarnation ON public.participant FOR EACH ROW WHEN ((new.incarnation IS DISTINCT FROM old.incarnation)) EXECUTE FUNCTION keep_participation_erased()
table participant_block
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  block bigint not null
  read bytea not null
  delivered bytea not null
  hidden bytea not null
  contrary bytea not null default decode(repeat('00'::text, 32), 'hex'::text)
  constraint participant_block_pkey PRIMARY KEY (app_id, conversation_id, user_id, block)
  CREATE INDEX participant_block_by_block ON public.participant_block USING btree (app_id, conversation_id, block, user_id)
table performed_operation
  id uuid not null
  name text not null
  result bytea
  at timestamp with time zone not null default clock_timestamp()
  constraint performed_operation_pkey PRIMARY KEY (id, name)
  CREATE INDEX performed_operation_by_age ON public.performed_operation USING btree (at)
table published_mark
  id uuid not null
  seq bigint not null
  subject text not null
  message_id text not null
  oldest_at timestamp with time zone not null
  constraint published_mark_pkey PRIMARY KEY (id)
table push_order
  app_id uuid not null
  event_id uuid not null
  event bytea not null
  made_until text not null default ''::text
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone
  attempts integer not null default 0
  constraint push_order_pkey PRIMARY KEY (app_id, event_id)
  CREATE INDEX push_order_by_time ON public.push_order USING btree (due_at)
  CREATE INDEX push_order_by_turn ON public.push_order USING btree (app_id, due_at, event_id)
table reaction
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  position bigint not null
  key text not null
  id uuid not null
  created_at timestamp with time zone not null
  seq bigint not null
  incarnation double precision
  constraint reaction_pkey PRIMARY KEY (app_id, conversation_id, user_id, "position", key)
  CREATE INDEX reaction_by_key ON public.reaction USING btree (app_id, conversation_id, "position", key, id)
table reaction_count
  app_id uuid not null
  conversation_id uuid not null
  position bigint not null
  key text not null
  first_id uuid not null
  count bigint not null
  recent text[] not null
  recent_ids uuid[] not null
  constraint reaction_count_pkey PRIMARY KEY (app_id, conversation_id, "position", key)
table reaction_push
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  position bigint not null
  incarnation double precision
  constraint reaction_push_pkey PRIMARY KEY (app_id, conversation_id, user_id, "position")
table recent_event
  id uuid not null
  at timestamp with time zone not null
  subject text not null
  payload bytea not null
  constraint recent_event_pkey PRIMARY KEY (id)
table restriction
  app_id uuid not null
  conversation_id uuid not null
  user_id text not null
  kind text not null
  until timestamp with time zone
  reason text
  created_by text
  created_at timestamp with time zone not null
  incarnation double precision not null
  constraint restriction_pkey PRIMARY KEY (app_id, conversation_id, user_id)
  CREATE INDEX restriction_by_user ON public.restriction USING btree (app_id, user_id)
table scheduled_message
  app_id uuid not null
  id uuid not null
  conversation_id uuid not null
  sender_id text not null
  request_id uuid
  created_at timestamp with time zone not null
  due_at timestamp with time zone not null
  typing_at timestamp with time zone
  is_typing boolean not null default false
  draft bytea not null
  incarnation double precision
  constraint scheduled_message_pkey PRIMARY KEY (app_id, id)
  CREATE INDEX scheduled_message_by_conversation ON public.scheduled_message USING btree (app_id, conversation_id, due_at, id)
  CREATE INDEX scheduled_message_by_due ON public.scheduled_message USING btree (due_at)
  CREATE INDEX scheduled_message_by_sender ON public.scheduled_message USING btree (app_id, sender_id)
  CREATE INDEX scheduled_message_by_turn ON public.scheduled_message USING btree (app_id, due_at)
  CREATE INDEX scheduled_message_by_typing ON public.scheduled_message USING btree (typing_at) WHERE (NOT is_typing)
  CREATE INDEX scheduled_message_by_typing_turn ON public.scheduled_message USING btree (app_id, typing_at) WHERE (NOT is_typing)
CREATE OR REPLACE FUNCTION public.continue_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from identity_copy i
    join participant p on p.app_id = i.app_id and p.user_id = i.user_id
      and coalesce(p.incarnation, 0) < i.participations_from
    join conversation c on c.app_id = p.app_id and c.id = p.conversation_id
    where i.app_id = old.app_id and i.user_id = old.user_id and i.participations_from > 0
      and not exists (select from app_tombstone t where t.app_id = old.app_id))
  then
    insert into erasure (app_id, user_id, version, due_at)
    values (old.app_id, old.user_id, old.version, clock_timestamp() + interval '1 minute');
  end if;
  return null;
end $function$
CREATE OR REPLACE FUNCTION public.delete_message_versions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from message_version v
  where v.app_id = new.app_id and v.conversation_id = new.conversation_id and v.position = new.position;
  return null;
end $function$
CREATE OR REPLACE FUNCTION public.delete_reactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from conversation c
    where c.app_id = new.app_id and c.id = new.conversation_id and c.side_tables & 1 <> 0)
  then
    return null;
  end if;
  delete from reaction r
  where r.app_id = new.app_id and r.conversation_id = new.conversation_id and r.position = new.position;
  delete from reaction_count c
  where c.app_id = new.app_id and c.conversation_id = new.conversation_id and c.position = new.position;
  delete from reaction_push p
  where p.app_id = new.app_id and p.conversation_id = new.conversation_id and p.position = new.position;
  return null;
end $function$
CREATE OR REPLACE FUNCTION public.keep_participation_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from identity_copy i
    where i.app_id = old.app_id and i.user_id = old.user_id and i.participations_from > coalesce(old.incarnation, 0))
  then
    return null;
  end if;
  return new;
end $function$
CREATE OR REPLACE FUNCTION public.store_lone_send_1(uuid, uuid, bigint, bigint, double precision, uuid, text, double precision, double precision, bigint, boolean, uuid, double precision, bytea, double precision, bigint, bigint, bigint, bigint, double precision, bigint, bigint, bigint, bigint, bigint, double precision, bytea, uuid, text, text, bytea, text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from (values ($1::uuid, $2::uuid, $3::int8, $4::int8, $5::float8)) as cached (app_id, id, seq, head, changed_at)
      join conversation c on c.app_id = cached.app_id and c.id = cached.id
      where c.seq = cached.seq and c.head = cached.head
        and c.changed_at = to_timestamp(cached.changed_at / 1000)
      order by c.app_id, c.id
      for no key update of c skip locked;
  if not found then
    return false;
  end if;
  if exists (select from (values ($1::uuid, $2::uuid, $6::uuid, $7::text, $8::float8, $9::float8, $10::int8, $11::boolean)) as item (app_id, conversation_id, id, user_id, identity_version, incarnation, read_until, is_awaited)
        left join lateral (select * from identity_copy i where i.app_id = item.app_id and i.user_id = item.user_id offset 0) i on true
        left join lateral (select * from participant own where own.app_id = item.app_id and own.conversation_id = item.conversation_id
          and own.user_id = item.user_id offset 0) own on true
        left join lateral (select * from message m where m.app_id = item.app_id and m.id = item.id offset 0) m on true
        left join lateral (select * from scheduled_message s where s.app_id = item.app_id and s.id = item.id offset 0) s on true
        left join lateral (
          select true as is_blocked from block_copy b
          join lateral (select * from participant p where p.app_id = b.app_id and p.conversation_id = item.conversation_id
            and p.user_id = b.owner_user_id and p.left_seq is null offset 0) p on true
          where b.app_id = item.app_id and b.blocked_user_id = item.user_id and b.owner_user_id <> item.user_id
          offset 0
        ) blocked on true
        where i.version is distinct from item.identity_version or i.incarnation is distinct from item.incarnation
          or own.read_until is distinct from item.read_until
          or exists (select from event_interest interest where interest.app_id in (item.app_id, '00000000-0000-0000-0000-000000000000')) <> item.is_awaited
          or m.id is not null or s.id is not null or blocked.is_blocked) then
    return false;
  end if;
  insert into message (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body,
        incarnation)
      select row.app_id, row.conversation_id, row.position, row.id, row.request_id, row.sender_id,
        to_timestamp(row.sent_at / 1000), row.low, row.body, row.incarnation
      from (values ($1::uuid, $2::uuid, $17::int8, $6::uuid, $12::uuid, $7::text, $13::float8, false::boolean, $14::bytea, $15::float8)) as row (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body, incarnation)
      where /* condition */ true;
  update conversation c
      set seq = row.seq, head = row.head, excluded_count = row.excluded_count, deleted_count = row.deleted_count,
        last_message_at = coalesce(to_timestamp(row.last_message_at / 1000), c.last_message_at),
        changed_at = coalesce(to_timestamp(row.changed_at / 1000), c.changed_at)
      from (values ($1::uuid, $2::uuid, $16::int8, $17::int8, $18::int8, $19::int8, $13::float8, $20::float8)) as row (app_id, id, seq, head, excluded_count, deleted_count, last_message_at, changed_at)
      where c.app_id = row.app_id and c.id = row.id and /* condition */ true;
  update participant p
      set read_until = row.read_until, delivered_until = row.delivered_until, covered_count = row.covered_count,
        hidden_count = row.hidden_count, unlisted_at = row.unlisted_at
      from (values ($1::uuid, $2::uuid, $7::text, $21::int8, $22::int8, $23::int8, $24::int8, $25::int8)) as row (app_id, conversation_id, user_id, read_until, delivered_until, covered_count, hidden_count, unlisted_at)
      where p.app_id = row.app_id and p.conversation_id = row.conversation_id and p.user_id = row.user_id
        and /* condition */ true;
  insert into change (app_id, conversation_id, seq, created_at, event)
      select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event
      from (values ($1::uuid, $2::uuid, $16::int8, $26::float8, $27::bytea)) as row (app_id, conversation_id, seq, created_at, event)
      where /* condition */ true;
  if $28 is not null then
    insert into outbox (id, subject, live, payload, headers)
      select row.id, row.subject, string_to_array(row.live, ' '), row.payload, row.headers
      from (values ($28::uuid, $29::text, $30::text, $31::bytea, $32::text)) as row (id, subject, live, payload, headers)
      where /* condition */ true;
  end if;
  return true;
end
$function$
CREATE OR REPLACE FUNCTION public.store_lone_send_2(uuid, uuid, bigint, bigint, double precision, uuid, text, double precision, double precision, bigint, boolean, text, uuid, uuid, double precision, bytea, double precision, bigint, bigint, bigint, bigint, double precision, bigint, bigint, bigint, bigint, bigint, double precision, bytea, uuid, text, text, bytea, text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from (values ($1::uuid, $2::uuid, $3::int8, $4::int8, $5::float8)) as cached (app_id, id, seq, head, changed_at)
      join conversation c on c.app_id = cached.app_id and c.id = cached.id
      where c.seq = cached.seq and c.head = cached.head
        and c.changed_at = to_timestamp(cached.changed_at / 1000)
      order by c.app_id, c.id
      for no key update of c skip locked;
  if not found then
    return false;
  end if;
  if exists (select from (values ($1::uuid, $2::uuid, $6::uuid, $7::text, $8::float8, $9::float8, $10::int8, $11::boolean, $12::text, $13::uuid)) as item (app_id, conversation_id, id, user_id, identity_version, incarnation, read_until, is_awaited, type_name, type_version)
        left join lateral (select * from identity_copy i where i.app_id = item.app_id and i.user_id = item.user_id offset 0) i on true
        left join lateral (select * from participant own where own.app_id = item.app_id and own.conversation_id = item.conversation_id
          and own.user_id = item.user_id offset 0) own on true
        left join lateral (select * from message m where m.app_id = item.app_id and m.id = item.id offset 0) m on true
        left join lateral (select * from conversation_type t where t.app_id = item.app_id and t.name = item.type_name offset 0) t on true
        left join lateral (select * from scheduled_message s where s.app_id = item.app_id and s.id = item.id offset 0) s on true
        left join lateral (
          select true as is_blocked from block_copy b
          join lateral (select * from participant p where p.app_id = b.app_id and p.conversation_id = item.conversation_id
            and p.user_id = b.owner_user_id and p.left_seq is null offset 0) p on true
          where b.app_id = item.app_id and b.blocked_user_id = item.user_id and b.owner_user_id <> item.user_id
          offset 0
        ) blocked on true
        where i.version is distinct from item.identity_version or i.incarnation is distinct from item.incarnation
          or own.read_until is distinct from item.read_until
          or exists (select from event_interest interest where interest.app_id in (item.app_id, '00000000-0000-0000-0000-000000000000')) <> item.is_awaited
          or t.version is distinct from item.type_version or i.restriction is not null
          or m.id is not null or s.id is not null or blocked.is_blocked) then
    return false;
  end if;
  insert into message (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body,
        incarnation)
      select row.app_id, row.conversation_id, row.position, row.id, row.request_id, row.sender_id,
        to_timestamp(row.sent_at / 1000), row.low, row.body, row.incarnation
      from (values ($1::uuid, $2::uuid, $19::int8, $6::uuid, $14::uuid, $7::text, $15::float8, false::boolean, $16::bytea, $17::float8)) as row (app_id, conversation_id, position, id, request_id, sender_id, sent_at, low, body, incarnation)
      where /* condition */ true;
  update conversation c
      set seq = row.seq, head = row.head, excluded_count = row.excluded_count, deleted_count = row.deleted_count,
        last_message_at = coalesce(to_timestamp(row.last_message_at / 1000), c.last_message_at),
        changed_at = coalesce(to_timestamp(row.changed_at / 1000), c.changed_at)
      from (values ($1::uuid, $2::uuid, $18::int8, $19::int8, $20::int8, $21::int8, $15::float8, $22::float8)) as row (app_id, id, seq, head, excluded_count, deleted_count, last_message_at, changed_at)
      where c.app_id = row.app_id and c.id = row.id and /* condition */ true;
  update participant p
      set read_until = row.read_until, delivered_until = row.delivered_until, covered_count = row.covered_count,
        hidden_count = row.hidden_count, unlisted_at = row.unlisted_at
      from (values ($1::uuid, $2::uuid, $7::text, $23::int8, $24::int8, $25::int8, $26::int8, $27::int8)) as row (app_id, conversation_id, user_id, read_until, delivered_until, covered_count, hidden_count, unlisted_at)
      where p.app_id = row.app_id and p.conversation_id = row.conversation_id and p.user_id = row.user_id
        and /* condition */ true;
  insert into change (app_id, conversation_id, seq, created_at, event)
      select row.app_id, row.conversation_id, row.seq, to_timestamp(row.created_at / 1000), row.event
      from (values ($1::uuid, $2::uuid, $18::int8, $28::float8, $29::bytea)) as row (app_id, conversation_id, seq, created_at, event)
      where /* condition */ true;
  if $30 is not null then
    insert into outbox (id, subject, live, payload, headers)
      select row.id, row.subject, string_to_array(row.live, ' '), row.payload, row.headers
      from (values ($30::uuid, $31::text, $32::text, $33::bytea, $34::text)) as row (id, subject, live, payload, headers)
      where /* condition */ true;
  end if;
  return true;
end
$function$
