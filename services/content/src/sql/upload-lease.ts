import type { Sql } from '@parley/kit/postgres';
import { STATUS } from './content.ts';

/** The right to append to an upload, which one writer has at a time. */
export type Lease = { appId: string; id: string; leaseId: string };

export type LeasedRow = { stored: number; next_part: number; store_upload_id: string | null };

/** Undefined while another writer holds the lease, or when the upload has ended. A lease expires unless it is renewed. */
export async function takeLease(sql: Sql, lease: Lease, ms: number): Promise<LeasedRow | undefined> {
  const [row] = await sql.query<LeasedRow>({
    name: 'take_lease',
    text: `
      update content set
        lease_id = $3,
        lease_until = clock_timestamp() + $4 * interval '1 ms'
      where app_id = $1 and id = $2 and status = ${STATUS.uploading}
        and (lease_id is null or lease_until < clock_timestamp())
      returning stored, next_part, store_upload_id`,
    values: [lease.appId, lease.id, lease.leaseId, ms],
  });
  return row;
}

/** False when another writer has taken the lease, or the upload has ended. */
export async function renewLease(sql: Sql, lease: Lease, ms: number): Promise<boolean> {
  const renewed = await sql.execute({
    name: 'renew_lease',
    text: `
      update content set lease_until = clock_timestamp() + $4 * interval '1 ms'
      where app_id = $1 and id = $2 and lease_id = $3 and status = ${STATUS.uploading}`,
    values: [lease.appId, lease.id, lease.leaseId, ms],
  });
  return renewed > 0;
}

/** Lets another writer take the lease at once. */
export async function releaseLease(sql: Sql, lease: Lease): Promise<void> {
  await sql.execute({
    name: 'release_lease',
    text: `
      update content set lease_id = null, lease_until = null
      where app_id = $1 and id = $2 and lease_id = $3`,
    values: [lease.appId, lease.id, lease.leaseId],
  });
}

/** Remembers the store's own id of the upload. False when the lease was lost. */
export async function setStoreUpload(sql: Sql, lease: Lease, storeUploadId: string): Promise<boolean> {
  const set = await sql.execute({
    text: `
      update content set store_upload_id = $4
      where app_id = $1 and id = $2 and lease_id = $3 and status = ${STATUS.uploading}`,
    values: [lease.appId, lease.id, lease.leaseId, storeUploadId],
  });
  return set > 0;
}

/** Restarts an upload from its first byte. */
export async function restartUpload(sql: Sql, lease: Lease): Promise<void> {
  await sql.execute({
    text: `
      with restarted as (
        update content set stored = 0, next_part = 1, store_upload_id = null
        where app_id = $1 and id = $2 and lease_id = $3 and status = ${STATUS.uploading}
        returning app_id, id
      )
      delete from content_part using restarted
      where content_part.app_id = restarted.app_id and content_part.content_id = restarted.id`,
    values: [lease.appId, lease.id, lease.leaseId],
  });
}
