import type {
  Export as ExportJson,
  ExportSettings as ExportSettingsJson,
} from '@parley/contract/records/export';
import {
  ExportInterval,
  ExportStatus,
  ExportType,
  KeyPadding,
  type Export,
  type ExportSettings,
} from '@parley/proto/parley/export/v1/export_pb';
import { isoTime, isoTimeOrNull } from './time.ts';
import { viewRoot, type View } from './view.ts';

export const KEY_PADDING_NAMES = {
  pkcs1: KeyPadding.PKCS1,
  'oaep-sha256': KeyPadding.OAEP_SHA256,
} as const;

export const EXPORT_INTERVAL_NAMES = {
  disabled: ExportInterval.DISABLED,
  daily: ExportInterval.DAILY,
} as const;

/** docs/protocol/records.md#export */
export function exportJson(view: View, record: Export): ExportJson {
  const { archive } = record;
  const expires = isoTimeOrNull(archive?.downloadUrlExpiresAt);
  return {
    id: record.id,
    type: record.type === ExportType.SCHEDULED ? 'scheduled' : 'historical',
    status: statusName(record.status),
    status_reason: record.statusReason ?? null,
    public_key: record.publicKey ?? null,
    key_padding: record.publicKey === undefined ? null : paddingName(record.keyPadding),
    created_at: isoTime(record.createdAt),
    started_at: isoTimeOrNull(record.startedAt),
    completed_at: isoTimeOrNull(record.completedAt),
    expired_at: isoTimeOrNull(record.expiredAt),
    download_url: archive?.downloadUrl ?? null,
    download_url_expires_at: expires,
    download_url_expiration: expires,
    encrypted_aes_key: archive ? base64(archive.encryptedAesKey) : null,
    aes_iv: archive ? base64(archive.aesIv) : null,
    archive_sha256: archive ? Buffer.from(archive.sha256).toString('hex') : null,
    archive_size: archive?.size ?? null,
    status_url: exportStatusUrl(view, record.id),
  };
}

/** JSON of an export in the answer to its request: not begun yet, its id as a URI. */
export function requestedExportJson(view: View, record: Export): ExportJson {
  const { appId, id, type, createdAt } = record;
  const status = ExportStatus.EXECUTING;
  const fresh = { ...record, appId, id, type, createdAt, status };
  for (const field of ['statusReason', 'startedAt', 'publicKey', 'archive'] as const) delete fresh[field];
  return { ...exportJson(view, fresh), id: view.wire.uri('exports', id) };
}

export function exportStatusUrl(view: View, id: string): string {
  return `${viewRoot(view)}/exports/${id}/status`;
}

/** docs/protocol/records.md#exportsettings */
export function exportSettingsJson(settings: ExportSettings): ExportSettingsJson {
  return {
    interval: settings.interval === ExportInterval.DAILY ? 'daily' : 'disabled',
    last_export_at: isoTimeOrNull(settings.lastExportAt),
    last_export_id: settings.lastExportId ?? null,
    next_export_at: isoTimeOrNull(settings.nextExportAt),
  };
}

export function paddingName(padding: KeyPadding): keyof typeof KEY_PADDING_NAMES {
  return padding === KeyPadding.OAEP_SHA256 ? 'oaep-sha256' : 'pkcs1';
}

function statusName(status: ExportStatus): ExportJson['status'] {
  if (status === ExportStatus.COMPLETED) return 'completed';
  return status === ExportStatus.EXECUTING ? 'executing' : 'pending';
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
