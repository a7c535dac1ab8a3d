import type { Sql } from '@parley/kit/postgres';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

/** What became of one attempt, or of an attempt that was put off. */
export type Settlement = {
  app_id: string;
  webhook_id: string;
  id: string;
  status: DeliveryStatus;
  /** Milliseconds; when it is tried again. */
  due_at: number;
  /** Milliseconds. */
  at: number;
  /** As JSON; null when nothing was sent. */
  attempt: string | null;
};

const MAX_KEPT_ATTEMPTS = 20;

/**
 * Writes what is still the worker's to say. `is not distinct from` keeps the planner from reading all that the worker has
 * claimed for each row.
 */
export async function settleDeliveries(
  sql: Sql,
  worker: string,
  settled: readonly Settlement[],
): Promise<void> {
  await sql.execute({
    name: 'settle_deliveries',
    text: `
      with settled as (
        update delivery d set status = row.status, due_at = to_timestamp(row.due_at / 1000),
          settled_at = case when row.status = ${DeliveryStatus.PENDING} then null else to_timestamp(row.at / 1000) end,
          claimed_by = null, attempt_count = d.attempt_count + (row.attempt is not null)::int,
          tries = d.tries + (row.attempt is not null)::int,
          attempts = case when row.attempt is null then d.attempts
            when jsonb_array_length(d.attempts) < ${MAX_KEPT_ATTEMPTS} then d.attempts || row.attempt
            else (d.attempts - 0) || row.attempt end
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int2[], $6::float8[], $7::float8[], $8::jsonb[])
          as row (app_id, webhook_id, id, status, due_at, at, attempt)
        where d.app_id = row.app_id and d.webhook_id = row.webhook_id and d.id = row.id
          and d.claimed_by is not distinct from $1::uuid
          and d.status = ${DeliveryStatus.PENDING}
        returning d.app_id, d.webhook_id, d.status
      ), moved as (
        select s.app_id, s.webhook_id, step.status, step.delta from settled s
        cross join lateral (values (${DeliveryStatus.PENDING}::int2, -1), (s.status, 1)) as step (status, delta)
      )
      ${INSERT_COUNT_DELTAS}`,
    values: [
      worker,
      settled.map(({ app_id }) => app_id),
      settled.map(({ webhook_id }) => webhook_id),
      settled.map(({ id }) => id),
      settled.map(({ status }) => status),
      settled.map(({ due_at }) => due_at),
      settled.map(({ at }) => at),
      settled.map(({ attempt }) => attempt),
    ],
  });
}

/** The target that was spoken to; nothing is said of a webhook that has another one by now. */
export type TargetRef = { app_id: string; webhook_id: string; target_url: string };

const TARGET_ROWS = `unnest($1::uuid[], $2::uuid[], $3::text[]) as row (app_id, webhook_id, target_url)`;
const SAME_ACTIVE_TARGET = `w.app_id = row.app_id and w.id = row.webhook_id and w.target_url = row.target_url
        and w.status = ${WebhookStatus.ACTIVE}`;

export async function deactivateGone(sql: Sql, targets: readonly TargetRef[], reason: string): Promise<void> {
  await sql.execute({
    text: `
      update webhook w set status = ${WebhookStatus.INACTIVE}, status_reason = $4, failing_since = null
      from ${TARGET_ROWS} where ${SAME_ACTIVE_TARGET}`,
    values: [...targetColumns(targets), reason],
  });
}

/** Deactivates those that have done nothing but fail since `since` or longer. */
export async function noteFailures(
  sql: Sql,
  targets: readonly TargetRef[],
  { now, since, reason }: { now: number; since: number; reason: string },
): Promise<void> {
  await sql.execute({
    name: 'note_failures',
    text: `
      update webhook w set failing_since = coalesce(w.failing_since, to_timestamp($4::float8 / 1000)),
        status = case when w.failing_since <= to_timestamp($5::float8 / 1000) then ${WebhookStatus.INACTIVE} else w.status end,
        status_reason = case when w.failing_since <= to_timestamp($5::float8 / 1000) then $6 end
      from ${TARGET_ROWS} where ${SAME_ACTIVE_TARGET} and (w.failing_since is null or w.failing_since <= to_timestamp($5::float8 / 1000))`,
    values: [...targetColumns(targets), now, since, reason],
  });
}

export async function noteSuccesses(sql: Sql, targets: readonly TargetRef[]): Promise<void> {
  await sql.execute({
    name: 'note_successes',
    text: `
      update webhook w set failing_since = null from ${TARGET_ROWS} where ${SAME_ACTIVE_TARGET} and w.failing_since is not null`,
    values: targetColumns(targets),
  });
}

function targetColumns(targets: readonly TargetRef[]): unknown[] {
  return [
    targets.map(({ app_id }) => app_id),
    targets.map(({ webhook_id }) => webhook_id),
    targets.map(({ target_url }) => target_url),
  ];
}
