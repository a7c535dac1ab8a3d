import type { Export, ExportScheduleInput, ExportSettings } from '../records/export.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { APP_BASE } from './base.ts';

/** An RSA key of 2048 bits, made for the examples. */
export const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAykuIMO7mtpH21MY8YT+y
IbWrkecipaAOy70/nN3zYGPypk+oSKU8dAlqcM8hNG2Rnc3RZR4s2vSW9hAcPnjo
571JZ5svi9doCepohcfxsnpa4kY7JYgGKfjcEg/zGFvX24fQ694nU2K2+XWvkcOR
oNqGyeLFYqAPQWMEBB0i0/EySBrSWREm8lTmVinMDwkqz6RuNWPsSVXzWViFN/Jl
yURehnkguT6zh6EekM3x9mYgOv7E581CcBFv0LAUzM7z4mfdfy5NgFDX4yp0xmbr
sI+4Pom4soeYUrCauZPRQpeb/D6nKX5d6Y01gMl4lS5O1FpIMs3vZ2dSR+VoOKiH
5wIDAQAB
-----END PUBLIC KEY-----
`;

/** Right after the request. */
export const REQUESTED_EXPORT: Export = {
  id: `svc:///exports/${EXAMPLE.export}`,
  type: 'historical',
  status: 'executing',
  status_reason: null,
  public_key: null,
  key_padding: null,
  created_at: '2026-11-20T20:15:30.123Z',
  started_at: null,
  completed_at: null,
  expired_at: null,
  download_url: null,
  download_url_expires_at: null,
  download_url_expiration: null,
  encrypted_aes_key: null,
  aes_iv: null,
  archive_sha256: null,
  archive_size: null,
  status_url: `${APP_BASE}/exports/${EXAMPLE.export}/status`,
};

/** The export once its archive is complete. */
export const EXPORT: Export = {
  ...REQUESTED_EXPORT,
  id: EXAMPLE.export,
  status: 'completed',
  public_key: PUBLIC_KEY,
  key_padding: 'pkcs1',
  started_at: '2026-11-20T20:15:31.000Z',
  completed_at: '2026-11-20T20:18:00.000Z',
  expired_at: '2026-12-20T20:18:00.000Z',
  download_url: 'https://blobs.example.com/exports/archive',
  download_url_expires_at: '2026-11-20T21:18:00.000Z',
  download_url_expiration: '2026-11-20T21:18:00.000Z',
  encrypted_aes_key: 'kQ9Zt1mRzK0dOqg0Uq3oYw==',
  aes_iv: 'AAECAwQFBgcICQoLDA0ODw==',
  archive_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  archive_size: 48_640,
};

export const EXPORT_SCHEDULE_INPUT: ExportScheduleInput = {
  interval: 'daily',
  events: ['message.sent', 'message.deleted'],
  hour_utc: 3,
};

export const EXPORT_SETTINGS: ExportSettings = {
  interval: 'daily',
  last_export_at: '2026-11-20T03:00:00.000Z',
  last_export_id: EXAMPLE.export,
  next_export_at: '2026-11-21T03:00:00.000Z',
};
