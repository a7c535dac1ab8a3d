import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import { WebhookSchema, WebhookStatus, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { WebhookKey } from './webhook.ts';

export type Beginning = WebhookKey & { verificationId: string; now: number };

/** Makes the webhook unverified, and due to be verified; an answer to an earlier verification counts no more. */
export async function beginVerification(sql: Sql, beginning: Beginning): Promise<Webhook | undefined> {
  const { appId, id, verificationId, now } = beginning;
  const [row] = await sql.query<JsonValue>({
    text: `
      update webhook set status = ${WebhookStatus.UNVERIFIED}, status_reason = null, verification_id = $3,
        verify_at = to_timestamp($4::float8 / 1000), failing_since = null,
        resuming = resuming or status = ${WebhookStatus.ACTIVE}
      where app_id = $1 and id = $2
      returning app_id, id, version, target_url, events, status, status_reason, config, created_at`,
    values: [appId, id, verificationId, now],
  });
  return row === undefined ? undefined : fromJson(WebhookSchema, row);
}

export type DueVerification = { app_id: string; id: string; target_url: string; verification_id: string };

/** Takes verifications that are due; who does not settle them until `retryAt` leaves them to somebody else. */
export function claimVerifications(
  sql: Sql,
  { now, retryAt, limit }: { now: number; retryAt: number; limit: number },
): Promise<DueVerification[]> {
  return sql.query<DueVerification>({
    name: 'claim_verifications',
    text: `
      update webhook set verify_at = to_timestamp($2::float8 / 1000)
      where (app_id, id) in (
        select app_id, id from webhook where verify_at <= to_timestamp($1::float8 / 1000)
        order by verify_at limit $3 for no key update skip locked)
      returning app_id, id, target_url, verification_id`,
    values: [now, retryAt, limit],
  });
}

/** `reason`: why the target did not pass; absent: it did. Changes nothing if another verification began meanwhile. */
export async function settleVerification(
  sql: Sql,
  verification: DueVerification,
  outcome: { reason: string | undefined; now: number },
): Promise<void> {
  await sql.execute({
    text: `
      update webhook set status = case when $4::text is null then ${WebhookStatus.ACTIVE} else ${WebhookStatus.INACTIVE} end,
        status_reason = $4, verification_id = null, verify_at = null, resuming = false,
        accepts_from = case when resuming then accepts_from else to_timestamp($5::float8 / 1000) end
      where app_id = $1 and id = $2 and verification_id = $3`,
    values: [
      verification.app_id,
      verification.id,
      verification.verification_id,
      outcome.reason ?? null,
      outcome.now,
    ],
  });
}
