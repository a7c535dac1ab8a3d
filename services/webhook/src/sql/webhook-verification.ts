import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import { WebhookSchema, WebhookStatus, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { jsonByKey } from '@parley/outbound/turns/json-by-key';
import type { WebhookKey } from './webhook.ts';

export type NewVerification = WebhookKey & { verificationId: string; now: number };

/** Makes the webhook unverified, with a verification due now; the result of an earlier verification is ignored. */
export async function beginVerification(
  sql: Sql,
  verification: NewVerification,
): Promise<Webhook | undefined> {
  const { appId, id, verificationId, now } = verification;
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

export type VerificationClaim = {
  now: number;
  /** Time at which verifications without a result are due again. */
  retryAt: number;
  /** The application at which the last claim ended. */
  after: string;
  limit: number;
  /** How many verifications each of these applications may get; all others: `share`. */
  shares: readonly { appId: string; share: number }[];
  share: number;
};

/** Claims due verifications, in turn by application. */
export function claimVerifications(sql: Sql, claim: VerificationClaim): Promise<DueVerification[]> {
  return sql.query<DueVerification>({
    name: 'claim_verifications',
    text: `
      with recursive app as (
        (select app_id from webhook where verify_at is not null and app_id > $3::uuid
          order by app_id, verify_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select w.app_id from webhook w where w.verify_at is not null and w.app_id > app.app_id
          order by w.app_id, w.verify_at limit 1) next
      ), chosen as (
        select due.* from app
        cross join lateral (
          select w.app_id, w.id from webhook w
          where w.app_id = app.app_id and w.verify_at <= to_timestamp($1::float8 / 1000)
          order by w.app_id, w.verify_at limit coalesce(($5::jsonb ->> app.app_id::text)::int8, $6)
          for no key update skip locked) due
        limit $4
      )
      update webhook w set verify_at = to_timestamp($2::float8 / 1000)
      from chosen where w.app_id = chosen.app_id and w.id = chosen.id
      returning w.app_id, w.id, w.target_url, w.verification_id`,
    values: [
      claim.now,
      claim.retryAt,
      claim.after,
      claim.limit,
      jsonByKey(claim.shares, ({ appId, share }) => [appId, share]),
      claim.share,
    ],
  });
}

/** `reason`: why the target failed; undefined: it passed. No effect if another verification has begun in the meantime. */
export async function settleVerification(
  sql: Sql,
  { appId, id, verificationId }: WebhookKey & { verificationId: string },
  outcome: { reason: string | undefined; now: number },
): Promise<void> {
  await sql.execute({
    text: `
      update webhook set status = case when $4::text is null then ${WebhookStatus.ACTIVE} else ${WebhookStatus.INACTIVE} end,
        status_reason = $4, verification_id = null, verify_at = null, resuming = false,
        accepts_from = case when resuming then accepts_from else to_timestamp($5::float8 / 1000) end
      where app_id = $1 and id = $2 and verification_id = $3`,
    values: [appId, id, verificationId, outcome.reason ?? null, outcome.now],
  });
}
