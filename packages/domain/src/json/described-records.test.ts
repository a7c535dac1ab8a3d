import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Announcement } from '@parley/contract/records/announcement';
import { Delivery, DeliveryWithAttempts } from '@parley/contract/records/delivery';
import { Export, ExportSettings } from '@parley/contract/records/export';
import { Identity } from '@parley/contract/records/identity';
import { Webhook } from '@parley/contract/records/webhook';
import { mismatches } from '@parley/contract/testing/mismatches';
import {
  AnnouncementSchema,
  ReceivedAnnouncementSchema,
} from '@parley/proto/parley/announcement/v1/announcement_pb';
import {
  ExportSchema,
  ExportSettingsSchema,
  ExportStatus,
  ExportType,
} from '@parley/proto/parley/export/v1/export_pb';
import { IdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import {
  DeliverySchema,
  DeliveryStatus,
  WebhookSchema,
  WebhookStatus,
} from '@parley/proto/parley/webhook/v1/webhook_pb';
import { appId, contentId, messageId, partId, sentAt, viewOf } from '../testing/samples.ts';
import { announcementJson, receivedAnnouncementJson } from './announcement.ts';
import { deliveryDetailJson, deliveryJson } from './delivery.ts';
import { exportJson, exportSettingsJson, requestedExportJson } from './export.ts';
import { identityJson } from './identity.ts';
import { webhookJson } from './webhook.ts';

const client = viewOf('client', 'bob');
const server = viewOf('server');
const id = messageId;

const announcement: MessageInitShape<typeof AnnouncementSchema> = {
  appId,
  id,
  sentAt,
  sender: { userId: 'a b/ü' },
  recipientUserIds: ['bob'],
  parts: [
    { id: partId, mimeType: 'text/plain', body: 'hello' },
    { id: contentId, mimeType: 'image/png', content: { id: contentId, size: 5 } },
  ],
  notification: { title: 'News' },
};
const received = create(ReceivedAnnouncementSchema, { announcement, position: 3 });
const exported = { appId, id, type: ExportType.HISTORICAL, createdAt: sentAt };
const archive = {
  size: 3,
  sha256: new Uint8Array(32),
  encryptedAesKey: new Uint8Array(256),
  aesIv: new Uint8Array(16),
  downloadUrl: 'https://blobs.example.com/archive?signature=x',
  downloadUrlExpiresAt: sentAt,
};
const complete = {
  status: ExportStatus.COMPLETED,
  startedAt: sentAt,
  completedAt: sentAt,
  expiredAt: sentAt,
  publicKey: 'PEM',
  archive,
};
const webhook = {
  appId,
  id,
  version: '3.0',
  targetUrl: 'https://a.example',
  events: ['Message.created'],
  createdAt: sentAt,
};
const delivery = {
  appId,
  webhookId: partId,
  id,
  eventId: id,
  eventType: 'Receipt.created',
  eventAt: sentAt,
  createdAt: sentAt,
  attemptCount: 2,
};
const attempts = [
  { at: sentAt, durationMs: 10_000, error: 'no answer' },
  { at: sentAt, durationMs: 12, responseStatus: 500, responseBody: 'oops' },
];
const settled = { ...delivery, status: DeliveryStatus.DEAD, settledAt: sentAt, attempts };

test.each([
  [
    'an identity that never connected',
    Identity,
    identityJson(client, create(IdentitySchema, { userId: 'bob' })),
  ],
  [
    'an identity with everything',
    Identity,
    identityJson(
      server,
      create(IdentitySchema, { userId: 'bob', displayName: 'Bob', publicKey: 'x', metadata: { a: 'b' } }),
      {
        status: PresenceStatus.INVISIBLE,
        lastSeenAt: sentAt,
      },
    ),
  ],
  [
    'an announcement for its server',
    Announcement,
    announcementJson(server, create(AnnouncementSchema, announcement)),
  ],
  ['an announcement for a recipient', Announcement, receivedAnnouncementJson(client, received)],
  [
    'an announcement for a server as a recipient',
    Announcement,
    receivedAnnouncementJson(viewOf('user', 'bob'), received),
  ],
  ['a requested export', Export, requestedExportJson(server, create(ExportSchema, exported))],
  [
    'a failed export',
    Export,
    exportJson(server, create(ExportSchema, { ...exported, statusReason: 'no room' })),
  ],
  ['a complete export', Export, exportJson(server, create(ExportSchema, { ...exported, ...complete }))],
  ['a schedule without a run', ExportSettings, exportSettingsJson(create(ExportSettingsSchema, {}))],
  [
    'a schedule after a run',
    ExportSettings,
    exportSettingsJson(
      create(ExportSettingsSchema, { lastExportAt: sentAt, lastExportId: id, nextExportAt: sentAt }),
    ),
  ],
  ['a webhook', Webhook, webhookJson(server, create(WebhookSchema, webhook))],
  [
    'an inactive webhook',
    Webhook,
    webhookJson(
      server,
      create(WebhookSchema, {
        ...webhook,
        status: WebhookStatus.INACTIVE,
        statusReason: 'gone',
        config: { a: [1] },
      }),
    ),
  ],
  [
    'a pending delivery',
    Delivery,
    deliveryJson(server, create(DeliverySchema, { ...delivery, nextAttemptAt: sentAt })),
  ],
  [
    'a dead delivery',
    DeliveryWithAttempts,
    deliveryDetailJson(server, create(DeliverySchema, settled), '{}'),
  ],
  [
    'a delivery without a body',
    DeliveryWithAttempts,
    deliveryDetailJson(server, create(DeliverySchema, settled), undefined),
  ],
])('%s is rendered as described', (_record, schema, json) => {
  expect(mismatches(schema, json)).toEqual([]);
});
