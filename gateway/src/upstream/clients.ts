import { createClient, type Client } from '@connectrpc/connect';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { ReactionService } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { PushService } from '@parley/proto/parley/push/v1/push_service_pb';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Channels } from './channels.ts';

/** The services that the gateway calls. */
export type Clients = {
  identity: Client<typeof IdentityService>;
  relations: Client<typeof RelationService>;
  presences: Client<typeof PresenceService>;
  operations: Client<typeof OperationService>;
  pushTokens: Client<typeof PushTokenService>;
  announcement: Client<typeof AnnouncementService>;
  messaging: Client<typeof MessagingService>;
  schedules: Client<typeof ScheduleService>;
  messagingCopies: Client<typeof CopyService>;
  parts: Client<typeof PartsService>;
  policy: Client<typeof PolicyService>;
  reactions: Client<typeof ReactionService>;
  notifications: Client<typeof NotificationService>;
  content: Client<typeof ContentService>;
  webhooks: Client<typeof WebhookService>;
  pushes: Client<typeof PushService>;
  exports: Client<typeof ExportService>;
  conversationLog: Client<typeof ChangeLogService>;
  /** The change logs of all services that have live changes. */
  changeLogs: readonly Client<typeof ChangeLogService>[];
  consoleAccess: Client<typeof ConsoleService>;
};

export function createClients(channels: Channels): Clients {
  const conversationLog = createClient(ChangeLogService, channels.messaging);
  return {
    identity: createClient(IdentityService, channels.identity),
    relations: createClient(RelationService, channels.identity),
    presences: createClient(PresenceService, channels.identity),
    operations: createClient(OperationService, channels.identity),
    pushTokens: createClient(PushTokenService, channels.identity),
    consoleAccess: createClient(ConsoleService, channels.identity),
    announcement: createClient(AnnouncementService, channels.announcement),
    messaging: createClient(MessagingService, channels.messaging),
    schedules: createClient(ScheduleService, channels.messaging),
    messagingCopies: createClient(CopyService, channels.messaging),
    parts: createClient(PartsService, channels.messaging),
    policy: createClient(PolicyService, channels.messaging),
    reactions: createClient(ReactionService, channels.messaging),
    notifications: createClient(NotificationService, channels.messaging),
    content: createClient(ContentService, channels.content),
    webhooks: createClient(WebhookService, channels.webhook),
    pushes: createClient(PushService, channels.push),
    exports: createClient(ExportService, channels.export),
    conversationLog,
    changeLogs: [
      conversationLog,
      createClient(ChangeLogService, channels.identity),
      createClient(ChangeLogService, channels.announcement),
    ],
  };
}
