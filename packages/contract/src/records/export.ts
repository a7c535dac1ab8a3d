import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { UUID } from '../patterns.ts';
import { EXAMPLE, url } from '../schema/ids.ts';
import { count, named, nullable, oneOf, optional, time } from '../schema/schema.ts';
import { HistoricalArchive, ScheduledArchive } from './export-event.ts';
import {
  EXPORT_EVENTS,
  EXPORT_INTERVALS,
  EXPORT_STATUSES,
  EXPORT_TYPES,
  KEY_PADDINGS,
  USUAL_EXPORT_EVENTS,
} from '../values.ts';

const PUBLIC_KEY = Type.String({
  description: `PEM of an RSA public key of ${limits.minRsaBits} to ${limits.maxExportKeyBits} bits.`,
});

const PADDING = 'How the AES key is encrypted: RSA with PKCS #1 v1.5, or with OAEP and SHA-256.';

export const ExportKeyInput = named(
  'ExportKeyInput',
  Type.Object(
    { public_key: PUBLIC_KEY, padding: optional(oneOf(KEY_PADDINGS, `${PADDING} By default \`pkcs1\`.`)) },
    { description: 'The key with which later archives are encrypted.' },
  ),
);
export type ExportKeyInput = Static<typeof ExportKeyInput>;

export const ExportKey = named(
  'ExportKey',
  Type.Object({ public_key: PUBLIC_KEY }, { description: 'The key with which archives are encrypted.' }),
);
export type ExportKey = Static<typeof ExportKey>;

const ARCHIVE_URL = Type.Unsafe<string>({
  ...url(
    'Where the archive is downloaded; a new address in each answer. The schema of the content is that of `export.json` in the archive, by the type of the export.',
  ),
  contentSchema: Type.Union([HistoricalArchive, ScheduledArchive]),
});

export const Export = named(
  'Export',
  Type.Object(
    {
      id: Type.String({
        pattern: `^(svc:///exports/)?${UUID}$`,
        description: 'A bare UUID; the URI in the answer to the request.',
        examples: [EXAMPLE.export],
      }),
      type: oneOf(EXPORT_TYPES, 'Everything that is stored, or the events of a day.'),
      status: oneOf(EXPORT_STATUSES, 'A run that fails goes back to `pending` and is repeated.'),
      status_reason: nullable(Type.String({ description: 'Why the last run failed.' })),
      public_key: nullable(PUBLIC_KEY),
      key_padding: nullable(oneOf(KEY_PADDINGS, PADDING)),
      created_at: time('When the export was requested, or was due.'),
      started_at: nullable(time('When the last run began.')),
      completed_at: nullable(time('When the archive was complete.')),
      expired_at: nullable(time('When the export and its archive are deleted.')),
      download_url: nullable(ARCHIVE_URL),
      download_url_expires_at: nullable(time('When `download_url` stops working.')),
      download_url_expiration: nullable(time('The same as `download_url_expires_at`.')),
      encrypted_aes_key: nullable(
        Type.String({
          description: 'The AES-256 key of the archive, encrypted with `public_key`, in base64.',
        }),
      ),
      aes_iv: nullable(Type.String({ description: 'The initialization vector of AES-CBC, in base64.' })),
      archive_sha256: nullable(
        Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the encrypted archive.' }),
      ),
      archive_size: nullable(count('Bytes of the encrypted archive.')),
      status_url: url('Where the status is read.'),
    },
    {
      description: 'An archive, or the work that makes it. Everything that is not known yet is null.',
    },
  ),
);
export type Export = Static<typeof Export>;

export const ExportEventName = named(
  'ExportEventName',
  oneOf(EXPORT_EVENTS, 'What happened, in the words of exports.'),
);
export type ExportEventName = Static<typeof ExportEventName>;

export const ExportScheduleInput = named(
  'ExportScheduleInput',
  Type.Object(
    {
      interval: oneOf(
        EXPORT_INTERVALS,
        '`disabled` ends the schedule; what was not exported by then never is.',
      ),
      events: optional(
        Type.Array(ExportEventName, {
          minItems: 1,
          description: `By default ${USUAL_EXPORT_EVENTS.map((name) => `\`${name}\``).join(', ')}.`,
        }),
      ),
      hour_utc: optional(
        Type.Integer({ minimum: 0, maximum: 23, description: 'The hour in UTC at which exports begin.' }),
      ),
    },
    { description: 'When events are exported, and which.' },
  ),
);
export type ExportScheduleInput = Static<typeof ExportScheduleInput>;

export const ExportSettings = named(
  'ExportSettings',
  Type.Object(
    {
      interval: oneOf(EXPORT_INTERVALS, 'How often events are exported.'),
      last_export_at: nullable(time('When the last scheduled export began.')),
      last_export_id: nullable(Type.String({ description: 'Bare UUID of the last scheduled export.' })),
      next_export_at: nullable(time('When the next one begins; null while the schedule is disabled.')),
    },
    { description: 'The schedule of exports.' },
  ),
);
export type ExportSettings = Static<typeof ExportSettings>;
