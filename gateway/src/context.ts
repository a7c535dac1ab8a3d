import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { limits } from '@parley/domain/limits';
import { createWire, type Wire } from '@parley/domain/wire';
import { openBase, type Base, type BaseOverrides } from '@parley/kit/base';
import type { Stopper } from '@parley/kit/process';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { createAnswerPlaces, type AnswerPlaces } from './answers/places.ts';
import { createAuth, type Auth } from './auth/index.ts';
import { createChannels } from './channels.ts';
import type { Config } from './config.ts';
import { createDownloads, type Downloads } from './content/downloads.ts';
import { createAudiences, type Audiences } from './messaging/audiences.ts';
import { createPresenceReporter, type PresenceReporter } from './presence/reporter.ts';
import { createLimits, type Limits } from './limits/index.ts';
import { createReceiptRecorder, type ReceiptRecorder } from './messaging/receipt-recorder.ts';
import { createMessageSender, type MessageSender } from './messaging/message-sender.ts';

/** Everything that opens, waits or is shared; what the handlers of this process work with. */
export type GatewayContext = Base & {
  config: Config;
  wire: Wire;
  /** Where errors are documented: the `url` of an error is this and its id. */
  errorDocs: string;
  identity: Client<typeof IdentityService>;
  relations: Client<typeof RelationService>;
  announcement: Client<typeof AnnouncementService>;
  messaging: Client<typeof MessagingService>;
  schedules: Client<typeof ScheduleService>;
  messagingCopies: Client<typeof CopyService>;
  content: Client<typeof ContentService>;
  /** Download addresses of content that is shown. */
  downloads: Downloads;
  parts: Client<typeof PartsService>;
  notifications: Client<typeof NotificationService>;
  operations: Client<typeof OperationService>;
  pushTokens: Client<typeof PushTokenService>;
  conversationLog: Client<typeof ChangeLogService>;
  webhooks: Client<typeof WebhookService>;
  exports: Client<typeof ExportService>;
  /** The logs of what sockets are owed, of all services that have live changes. */
  changeLogs: readonly Client<typeof ChangeLogService>[];
  adminTransport: Transport;
  messagingTransport: Transport;
  auth: Auth;
  /** Of answers in memory. */
  places: AnswerPlaces;
  limits: Limits;
  audiences: Audiences;
  presences: Client<typeof PresenceService>;
  presenceReporter: PresenceReporter;
  messageSender: MessageSender;
  receiptRecorder: ReceiptRecorder;
};

/** What a test puts in the place of the real one. */
export type Overrides = BaseOverrides & {
  identityTransport?: Transport;
  messagingTransport?: Transport;
  contentTransport?: Transport;
};

/** Opens what the gateway needs, and leaves to `stopper` to close it. */
export async function createContext(
  config: Config,
  overrides: Overrides,
  stopper: Stopper,
): Promise<GatewayContext> {
  const largestMessage = limits.eventBytes;
  const base = await openBase({ name: 'gateway', config, overrides, stopper, largestMessage });
  const { clock, log } = base;
  const wire = createWire(config.wireName);
  const channels = createChannels(config, { log, stopper, ...overrides });
  const identity = createClient(IdentityService, channels.identity);
  const relations = createClient(RelationService, channels.identity);
  const announcement = createClient(AnnouncementService, channels.announcement);
  const messaging = createClient(MessagingService, channels.messaging);
  const conversationLog = createClient(ChangeLogService, channels.messaging);
  const auth = createAuth({ identity, wire, clock, log });
  stopper.add('authentication', () => auth.stop());
  const audiences = createAudiences(messaging);
  stopper.add('audiences', () => audiences.stop());
  const content = createClient(ContentService, channels.content);
  const downloads = createDownloads(config, clock);
  const messageSender = createMessageSender({ messaging, content, identity });
  stopper.add('message sender', () => messageSender.stop());
  const receiptRecorder = createReceiptRecorder({ messaging });
  stopper.add('receipt recorder', () => receiptRecorder.stop());
  const presences = createClient(PresenceService, channels.identity);
  const presenceReporter = createPresenceReporter({ presences, clock, log });
  stopper.add('presence', () => presenceReporter.stop());
  return {
    ...base,
    config,
    wire,
    identity,
    relations,
    announcement,
    messaging,
    content,
    downloads,
    conversationLog,
    auth,
    audiences,
    presences,
    presenceReporter,
    messageSender,
    receiptRecorder,
    parts: createClient(PartsService, channels.messaging),
    places: createAnswerPlaces(),
    limits: createLimits(config.limits, clock),
    notifications: createClient(NotificationService, channels.messaging),
    operations: createClient(OperationService, channels.identity),
    pushTokens: createClient(PushTokenService, channels.identity),
    errorDocs: `${config.publicUrl}/docs/errors`,
    schedules: createClient(ScheduleService, channels.messaging),
    messagingCopies: createClient(CopyService, channels.messaging),
    changeLogs: [
      conversationLog,
      createClient(ChangeLogService, channels.identity),
      createClient(ChangeLogService, channels.announcement),
    ],
    webhooks: createClient(WebhookService, channels.webhook),
    exports: createClient(ExportService, channels.export),
    adminTransport: channels.identity,
    messagingTransport: channels.messaging,
  };
}
