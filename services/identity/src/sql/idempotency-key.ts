import type { Sql } from '@parley/kit/postgres';

export type IdempotencyKeyRef = { appId: string; hash: Uint8Array };

export type IdempotencyKeyRow = {
  operation_id: string;
  fingerprint: Buffer;
  /** Encrypted; null while the request is under way. */
  answer: Buffer | null;
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
        created_at = excluded.created_at
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
    text: `select operation_id, fingerprint, answer from idempotency_key where app_id = $1 and hash = $2`,
    values: [appId, hash],
  });
  return row;
}

/** Records the answer unless the key has one; answers the recorded answer, or undefined if the key is gone. */
export async function recordAnswer(
  sql: Sql,
  { appId, hash }: IdempotencyKeyRef,
  { operationId, answer }: { operationId: string; answer: Uint8Array },
): Promise<Buffer | undefined> {
  const [row] = await sql.query<{ answer: Buffer }>({
    name: 'record_answer',
    text: `
      update idempotency_key set answer = coalesce(answer, $4)
      where app_id = $1 and hash = $2 and operation_id = $3
      returning answer`,
    values: [appId, hash, operationId, answer],
  });
  return row?.answer;
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
