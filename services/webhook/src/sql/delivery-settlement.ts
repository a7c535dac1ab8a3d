import type { Sql } from '@parley/kit/postgres';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

/** The result of an attempt, or of one that was postponed. */
export type Settlement = {
  appId: string;
  webhookId: string;
  id: string;
  status: DeliveryStatus;
  /** Milliseconds; when the next attempt is due. */
  dueAt: number;
  /** Milliseconds. */
  at: number;
  /** Attempt as JSON; null when nothing was sent. */
  attempt: string | null;
};

const MAX_KEPT_ATTEMPTS = 20;

/**
 * Stores the results of deliveries that the worker still holds. `is not distinct from` keeps the planner from reading all of
 * the worker's claims for each row.
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
      settled.map(({ appId }) => appId),
      settled.map(({ webhookId }) => webhookId),
      settled.map(({ id }) => id),
      settled.map(({ status }) => status),
      settled.map(({ dueAt }) => dueAt),
      settled.map(({ at }) => at),
      settled.map(({ attempt }) => attempt),
    ],
  });
}

/** The target of an attempt; a webhook that has another target by now is not changed. */
export type TargetRef = { appId: string; webhookId: string; targetUrl: string };

/** SQL: the targets as rows. */
const TARGET_ROWS = `unnest($1::uuid[], $2::uuid[], $3::text[]) as row (app_id, webhook_id, target_url)`;
/** SQL: an active webhook that still has the target. */
const SAME_ACTIVE_TARGET = `w.app_id = row.app_id and w.id = row.webhook_id and w.target_url = row.target_url
        and w.status = ${WebhookStatus.ACTIVE}`;

/** Deactivates webhooks whose targets answered that they are gone. */
export async function deactivateGone(sql: Sql, targets: readonly TargetRef[], reason: string): Promise<void> {
  await sql.execute({
    text: `
      update webhook w set status = ${WebhookStatus.INACTIVE}, status_reason = $4, failing_since = null
      from ${TARGET_ROWS} where ${SAME_ACTIVE_TARGET}`,
    values: [...targetColumns(targets), reason],
  });
}

/** Records failures, and deactivates webhooks that have only failed since `since` or longer. */
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

/** Records that targets work. */
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
    targets.map(({ appId }) => appId),
    targets.map(({ webhookId }) => webhookId),
    targets.map(({ targetUrl }) => targetUrl),
  ];
}
