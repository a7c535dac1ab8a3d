-- As store_lone_send_1, and compares the type of the conversation and restrictions of the sender. The text is that of loneSendText.
create function store_lone_send_2(uuid, uuid, int8, int8, float8, uuid, text, float8, float8, int8, boolean, text, uuid, uuid, float8, bytea, float8, int8, int8, int8, int8, float8, int8, int8, int8, int8, int8, float8, bytea, uuid, text, text, bytea, text) returns boolean
language plpgsql as $function$
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
$function$;
