import { create } from '@parley/codec';
import {
  ArchiveSchema,
  ExportSchema,
  type Archive,
  type Export,
} from '@parley/proto/parley/export/v1/export_pb';
import { blobKey } from './blob-key.ts';
import type { Context } from '../context.ts';
import type { ExportRow } from '../sql/export.ts';

/** Whether an export has expired: it is not shown, and will be purged soon. */
export function isExpired({ clock }: Context, expiredAt: number | null): boolean {
  return expiredAt !== null && expiredAt <= clock.now();
}

/** The protocol's message for a row, with a fresh download address. */
export async function toExport(ctx: Context, row: ExportRow): Promise<Export> {
  const record = create(ExportSchema, {
    appId: row.app_id,
    id: row.id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
  });
  if (row.status_reason !== null) record.statusReason = row.status_reason;
  if (row.started_at !== null) record.startedAt = row.started_at;
  if (row.completed_at !== null) record.completedAt = row.completed_at;
  if (row.expired_at !== null) record.expiredAt = row.expired_at;
  if (row.public_key !== null) record.publicKey = row.public_key;
  if (row.padding !== null) record.keyPadding = row.padding;
  const archive = await archiveOf(ctx, row);
  if (archive) record.archive = archive;
  return record;
}

async function archiveOf({ blobs, clock, config }: Context, row: ExportRow): Promise<Archive | undefined> {
  const { app_id, id, run_id, archive_size, archive_sha256, encrypted_aes_key, aes_iv, expired_at } = row;
  if (run_id === null || archive_size === null || !archive_sha256 || !encrypted_aes_key || !aes_iv)
    return undefined;
  const until = clock.now() + config.downloadSeconds * 1000;
  const expiresAt = Math.min(until, expired_at ?? until);
  return create(ArchiveSchema, {
    size: archive_size,
    sha256: archive_sha256,
    encryptedAesKey: encrypted_aes_key,
    aesIv: aes_iv,
    downloadUrl: await blobs.presign(blobKey({ appId: app_id, id, runId: run_id }), {
      contentType: 'application/octet-stream',
      expiresAt,
    }),
    downloadUrlExpiresAt: expiresAt,
  });
}
