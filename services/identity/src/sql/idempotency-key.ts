import type { Sql } from '@parley/kit/postgres';

export type IdempotencyKeyRef = { appId: string; hash: Uint8Array };

export type IdempotencyKeyRow = {
  operation_id: string;
  fingerprint: Buffer;
  /** Encrypted, as release 0.1.0 stores it. */
  answer: Buffer | null;
  /** The answer's record, packed and encrypted; if both are null, the request is under way. */
  kept: Buffer | null;
};

/** Stores a key unless a request has used it since `forgottenBefore`. False: one has. */
export async function claimIdempotencyKey(
  sql: Sql,
  { appId, hash }: IdempotencyKeyRef,
  claim: { fingerprint: Uint8Array; operationId: string; now: number; forgottenBefore: number },
): Promise<boolean> {
  const claimed = await sql.execute({
    name: 'claim_idempotency_key',
    text: `
      insert into idempotency_key as k (app_id, hash, fingerprint, operation_id, created_at)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
      on conflict (app_id, hash) do update
      set fingerprint = excluded.fingerprint, operation_id = excluded.operation_id, answer = null,
        kept = null, kept_for = null, created_at = excluded.created_at
      where k.created_at < to_timestamp($6::float8 / 1000)`,
    values: [appId, hash, claim.fingerprint, claim.operationId, claim.now, claim.forgottenBefore],
  });
  return claimed > 0;
}

export async function findIdempotencyKey(
  sql: Sql,
  { appId, hash }: IdempotencyKeyRef,
): Promise<IdempotencyKeyRow | undefined> {
  const [row] = await sql.query<IdempotencyKeyRow>({
    name: 'find_operation',
    text: `
      select operation_id, fingerprint, answer, case when kept_for = operation_id then kept end as kept
      from idempotency_key where app_id = $1 and hash = $2`,
    values: [appId, hash],
  });
  return row;
}

/** Records an answer or its reference, unless the operation has one. False: it has, or the key is gone. */
export async function keepAnswer(
  sql: Sql,
  { appId, hash }: IdempotencyKeyRef,
  { operationId, kept }: { operationId: string; kept: Uint8Array },
): Promise<boolean> {
  const updated = await sql.execute({
    name: 'keep_answer',
    text: `
      update idempotency_key set kept = $4, kept_for = $3
      where app_id = $1 and hash = $2 and operation_id = $3 and answer is null and kept_for is distinct from $3`,
    values: [appId, hash, operationId, kept],
  });
  return updated > 0;
}

/** Deletes at most `limit` keys; returns how many. */
export function deleteIdempotencyKeysBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from idempotency_key where (app_id, hash, ctid) in (
        select app_id, hash, ctid from idempotency_key where created_at < to_timestamp($1::float8 / 1000) limit $2)`,
    values: [time, limit],
  });
}
