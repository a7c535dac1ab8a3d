import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { WithdrawalHint } from '@parley/proto/parley/live/v1/live_pb';

const { PENDING, DELIVERED } = PushDeliveryStatus;

/** SQL: a phone shows its notification, or soon does; the condition of an index, and more. */
const MAY_BE_SHOWN = `
  d.status in (${PENDING}, ${DELIVERED}) and d.message_id is not null and d.provider <> 'web' and d.withdrawn_at is null
  and (d.status = ${DELIVERED} or d.claimed_by is not null)`;

/**
 * Stores a withdrawal for each phone that shows notifications of the conversations to the users, unless one waits. One that is being
 * sent is due again afterwards. Times in milliseconds.
 */
export async function insertWithdrawals(
  sql: Sql,
  hints: readonly WithdrawalHint[],
  { now, dueAt, expiresAt }: { now: number; dueAt: number; expiresAt: number },
): Promise<void> {
  await sql.execute({
    name: 'insert_withdrawals',
    text: `
      with hint as (select * from unnest($1::uuid[], $2::uuid[], $3::text[]) as hint (app_id, conversation_id, user_id)),
      phone as (
        select d.app_id, d.user_id, d.device_id, d.target_id, d.provider from hint join ${lookUp(
          'delivery',
          'd',
          `d.app_id = hint.app_id and d.conversation_id = hint.conversation_id and d.user_id = hint.user_id
            and ${MAY_BE_SHOWN}`,
        )} on true
        union all
        select d.app_id, d.user_id, d.device_id, d.target_id, d.provider from hint join ${lookUp(
          'delivery',
          'd',
          `hint.user_id = '' and d.app_id = hint.app_id and d.conversation_id = hint.conversation_id and ${MAY_BE_SHOWN}`,
        )} on true
      ), one as (
        select distinct on (app_id, user_id, device_id) *, gen_random_uuid() as id from phone
        order by app_id, user_id, device_id, target_id
      )
      insert into delivery (app_id, target_id, id, event_id, user_id, device_id, provider, created_at, due_at, expires_at,
        withdrawal_version)
      select app_id, target_id, id, id, user_id, device_id, provider,
        to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000), 1
      from one order by app_id, user_id, device_id
      on conflict (app_id, user_id, device_id) where withdrawal_version is not null do update
      set due_at = excluded.due_at, expires_at = excluded.expires_at,
        withdrawal_version = delivery.withdrawal_version + 1
      where delivery.claimed_by is not null`,
    values: [
      hints.map(({ appId }) => appId),
      hints.map(({ conversationId }) => conversationId),
      hints.map(({ userId }) => userId),
      now,
      dueAt,
      expiresAt,
    ],
  });
}

export type Phone = { appId: string; userId: string; deviceId: string };

/** A notification that a phone was sent. */
export type ShownPush = {
  /** Index of the phone. */
  item: number;
  target_id: string;
  id: string;
  conversation_id: string;
  message_id: string;
  is_withdrawn: boolean;
};

/** The newest notifications of each phone, newest first. */
export function listShownPushes(sql: Sql, phones: readonly Phone[], limit: number): Promise<ShownPush[]> {
  return sql.query<ShownPush>({
    name: 'list_shown_pushes',
    text: `
      select phone.ordinal::int4 - 1 as item, d.target_id, d.id, d.conversation_id, d.message_id,
        d.withdrawn_at is not null as is_withdrawn
      from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as phone (app_id, user_id, device_id, ordinal)
      cross join lateral (
        select * from delivery d
        where d.app_id = phone.app_id and d.user_id = phone.user_id and d.device_id = phone.device_id
          and d.status = ${DELIVERED} and d.message_id is not null and d.provider <> 'web'
        order by d.id desc limit $4) d
      order by phone.ordinal, d.id desc`,
    values: [
      phones.map(({ appId }) => appId),
      phones.map(({ userId }) => userId),
      phones.map(({ deviceId }) => deviceId),
      limit,
    ],
  });
}

/** Indexes of the phones whose push services are being sent a notification: they may show it soon. */
export async function listPhonesBeingSentTo(sql: Sql, phones: readonly Phone[]): Promise<Set<number>> {
  const rows = await sql.query<{ item: number }>({
    name: 'list_phones_being_sent_to',
    // Few deliveries are claimed at a time, and an index has them.
    text: `
      with sent as materialized (
        select app_id, user_id, device_id from delivery
        where claimed_by is not null and status = ${PENDING} and message_id is not null and provider <> 'web')
      select distinct phone.ordinal::int4 - 1 as item
      from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as phone (app_id, user_id, device_id, ordinal)
      join sent using (app_id, user_id, device_id)`,
    values: [
      phones.map(({ appId }) => appId),
      phones.map(({ userId }) => userId),
      phones.map(({ deviceId }) => deviceId),
    ],
  });
  return new Set(rows.map(({ item }) => item));
}

/** Outcome of a withdrawal. */
export type WithdrawalResult = Phone & {
  targetId: string;
  id: string;
  /** Which it had when it was claimed: one that was asked for again since is not over. */
  version: number;
  /** Milliseconds; undefined: it is over. */
  retryAt: number | undefined;
  /** Whether the push service was asked. */
  isAttempt: boolean;
  /** The notifications that are gone. */
  withdrawn: readonly { targetId: string; id: string }[];
  /** All that are older than this one are gone, too. */
  olderThan: string | undefined;
};

/** Stores the results of withdrawals that the worker still holds: one that is over is deleted. `at` in milliseconds. */
export async function settleWithdrawals(
  sql: Sql,
  { worker, at }: { worker: string; at: number },
  results: readonly WithdrawalResult[],
): Promise<void> {
  const withdrawn = results.flatMap((result) =>
    result.withdrawn.map(({ targetId, id }) => ({ appId: result.appId, targetId, id })),
  );
  await sql.execute({
    name: 'settle_withdrawals',
    text: `
      with result as (
        select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::int4[], $9::float8[], $10::uuid[],
            $14::bool[])
          as result (app_id, target_id, id, user_id, device_id, version, retry_at, older_than, is_attempt)
      ), marked as (
        update delivery d set withdrawn_at = to_timestamp($2::float8 / 1000)
        from unnest($11::uuid[], $12::uuid[], $13::uuid[]) as gone (app_id, target_id, id)
        where d.app_id = gone.app_id and d.target_id = gone.target_id and d.id = gone.id and d.withdrawn_at is null
      ), aged as (
        update delivery d set withdrawn_at = to_timestamp($2::float8 / 1000)
        from result
        where result.older_than is not null and d.app_id = result.app_id and d.user_id = result.user_id
          and d.device_id = result.device_id and d.id < result.older_than and d.status = ${DELIVERED}
          and d.message_id is not null and d.provider <> 'web' and d.withdrawn_at is null
      ), kept as (
        update delivery d set claimed_by = null, attempts = d.attempts + result.is_attempt::int,
          due_at = case when d.withdrawal_version = result.version
            then to_timestamp(result.retry_at / 1000) else d.due_at end
        from result
        where d.app_id = result.app_id and d.target_id = result.target_id and d.id = result.id
          and d.claimed_by = $1 and (result.retry_at is not null or d.withdrawal_version <> result.version)
      )
      delete from delivery d using result
      where d.app_id = result.app_id and d.target_id = result.target_id and d.id = result.id
        and d.claimed_by = $1 and result.retry_at is null and d.withdrawal_version = result.version`,
    values: [
      worker,
      at,
      results.map(({ appId }) => appId),
      results.map(({ targetId }) => targetId),
      results.map(({ id }) => id),
      results.map(({ userId }) => userId),
      results.map(({ deviceId }) => deviceId),
      results.map(({ version }) => version),
      results.map(({ retryAt }) => retryAt ?? null),
      results.map(({ olderThan }) => olderThan ?? null),
      withdrawn.map(({ appId }) => appId),
      withdrawn.map(({ targetId }) => targetId),
      withdrawn.map(({ id }) => id),
      results.map(({ isAttempt }) => isAttempt),
    ],
  });
}
