import type { Static } from 'typebox';
import type * as plain from '../gen/records.ts';
import type { Announcement, AnnouncementInput, AnnouncementPart } from '../src/records/announcement.ts';
import type { AppSettingStep } from '../src/records/app-settings.ts';
import type { BlockStep } from '../src/records/block.ts';
import type {
  ChangeParticipant,
  ConversationInput,
  ConversationPatch,
  DeleteMetadata,
  DeleteMetadataKey,
  DeleteRole,
  MarkAllDeliveredInput,
  MarkAllReadInput,
  MarkedDelivered,
  MarkedRead,
  SetMetadata,
  SetMetadataKey,
  SetFrozen,
  SetParticipants,
  SetRole,
  SetSlowMode,
  ShowHistory,
} from '../src/records/conversation-input.ts';
import type { Conversation, Frozen } from '../src/records/conversation.ts';
import type { ConversationType, ConversationTypeInput } from '../src/records/conversation-type.ts';
import type {
  OwnRestriction,
  Restriction,
  RestrictionInput,
  UserRestrictionInput,
} from '../src/records/restriction.ts';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  DeliveryWithAttempts,
  ReplayCount,
  ReplayInput,
  TestEventInput,
} from '../src/records/delivery.ts';
import type {
  Export,
  ExportEventName,
  ExportKey,
  ExportKeyInput,
  ExportScheduleInput,
  ExportSettings,
} from '../src/records/export.ts';
import type { ExportEvent, HistoricalArchive, ScheduledArchive } from '../src/records/export-event.ts';
import type { IdentityChanges, IdentityInput } from '../src/records/identity-input.ts';
import type { BasicIdentity, Identity } from '../src/records/identity.ts';
import type {
  MessageBatch,
  MessageInput,
  MessagePatch,
  SetMessageMetadata,
  SetMessageMetadataKey,
  Schedule,
  ServerMessageInput,
  Significance,
} from '../src/records/message-input.ts';
import type { Message, Notification, RecipientStatus } from '../src/records/message.ts';
import type { MessageMetadata, Metadata } from '../src/records/metadata.ts';
import type { NotificationInput, NotificationRequest } from '../src/records/notification.ts';
import type {
  Base64PartInput,
  Content,
  ContentPartInput,
  MessagePart,
  PartInput,
  TextPartInput,
  PartsInput,
} from '../src/records/part.ts';
import type { Presence, PresenceInput, PresenceStatus } from '../src/records/presence.ts';
import type { Push, PushProvider, PushStatus, SettledPush } from '../src/records/push.ts';
import type { PushKey, PushKeys, PushTokenInput } from '../src/records/push-token.ts';
import type { Reaction, ReactionInput, ReactionSummary } from '../src/records/reaction.ts';
import type { ReceiptInput } from '../src/records/receipt.ts';
import type { ScheduledMessage } from '../src/records/scheduled-message.ts';
import type { Nonce, Session, SessionInput } from '../src/records/session.ts';
import type { Badge, BadgeInput, SuspensionStep, User } from '../src/records/user.ts';
import type { DeletedMessagePart, NoticedIdentity, Receipt } from '../src/records/webhook-event.ts';
import type {
  SecretInput,
  Webhook,
  WebhookChanges,
  WebhookEventName,
  WebhookInput,
  WebhookWithSecret,
} from '../src/records/webhook.ts';
import type { IdentityTokenClaims, IdentityTokenHeader } from '../src/records/session.ts';

/** Every record that a schema names: the published type, and the one that follows from the schema. */
export type Records = {
  IdentityTokenClaims: [plain.IdentityTokenClaims, Static<typeof IdentityTokenClaims>];
  IdentityTokenHeader: [plain.IdentityTokenHeader, Static<typeof IdentityTokenHeader>];
  ExportEvent: [plain.ExportEvent, Static<typeof ExportEvent>];
  HistoricalArchive: [plain.HistoricalArchive, Static<typeof HistoricalArchive>];
  PartsInput: [plain.PartsInput, Static<typeof PartsInput>];
  ScheduledArchive: [plain.ScheduledArchive, Static<typeof ScheduledArchive>];
  Announcement: [plain.Announcement, Static<typeof Announcement>];
  AnnouncementInput: [plain.AnnouncementInput, Static<typeof AnnouncementInput>];
  AnnouncementPart: [plain.AnnouncementPart, Static<typeof AnnouncementPart>];
  AppSettingStep: [plain.AppSettingStep, Static<typeof AppSettingStep>];
  Badge: [plain.Badge, Static<typeof Badge>];
  BadgeInput: [plain.BadgeInput, Static<typeof BadgeInput>];
  Base64PartInput: [plain.Base64PartInput, Static<typeof Base64PartInput>];
  BasicIdentity: [plain.BasicIdentity, Static<typeof BasicIdentity>];
  BlockStep: [plain.BlockStep, Static<typeof BlockStep>];
  ChangeParticipant: [plain.ChangeParticipant, Static<typeof ChangeParticipant>];
  Content: [plain.Content, Static<typeof Content>];
  ContentPartInput: [plain.ContentPartInput, Static<typeof ContentPartInput>];
  Conversation: [plain.Conversation, Static<typeof Conversation>];
  ConversationInput: [plain.ConversationInput, Static<typeof ConversationInput>];
  ConversationPatch: [plain.ConversationPatch, Static<typeof ConversationPatch>];
  DeleteMetadata: [plain.DeleteMetadata, Static<typeof DeleteMetadata>];
  DeleteMetadataKey: [plain.DeleteMetadataKey, Static<typeof DeleteMetadataKey>];
  DeletedMessagePart: [plain.DeletedMessagePart, Static<typeof DeletedMessagePart>];
  Delivery: [plain.Delivery, Static<typeof Delivery>];
  DeliveryAttempt: [plain.DeliveryAttempt, Static<typeof DeliveryAttempt>];
  DeliveryStatus: [plain.DeliveryStatus, Static<typeof DeliveryStatus>];
  DeliveryWithAttempts: [plain.DeliveryWithAttempts, Static<typeof DeliveryWithAttempts>];
  Export: [plain.Export, Static<typeof Export>];
  ExportEventName: [plain.ExportEventName, Static<typeof ExportEventName>];
  ExportKey: [plain.ExportKey, Static<typeof ExportKey>];
  ExportKeyInput: [plain.ExportKeyInput, Static<typeof ExportKeyInput>];
  ExportScheduleInput: [plain.ExportScheduleInput, Static<typeof ExportScheduleInput>];
  ExportSettings: [plain.ExportSettings, Static<typeof ExportSettings>];
  Identity: [plain.Identity, Static<typeof Identity>];
  IdentityChanges: [plain.IdentityChanges, Static<typeof IdentityChanges>];
  IdentityInput: [plain.IdentityInput, Static<typeof IdentityInput>];
  MarkAllDeliveredInput: [plain.MarkAllDeliveredInput, Static<typeof MarkAllDeliveredInput>];
  MarkedDelivered: [plain.MarkedDelivered, Static<typeof MarkedDelivered>];
  MarkAllReadInput: [plain.MarkAllReadInput, Static<typeof MarkAllReadInput>];
  MarkedRead: [plain.MarkedRead, Static<typeof MarkedRead>];
  Message: [plain.Message, Static<typeof Message>];
  MessageBatch: [plain.MessageBatch, Static<typeof MessageBatch>];
  MessageInput: [plain.MessageInput, Static<typeof MessageInput>];
  MessageMetadata: [plain.MessageMetadata, Static<typeof MessageMetadata>];
  MessagePart: [plain.MessagePart, Static<typeof MessagePart>];
  MessagePatch: [plain.MessagePatch, Static<typeof MessagePatch>];
  Metadata: [plain.Metadata, Static<typeof Metadata>];
  Nonce: [plain.Nonce, Static<typeof Nonce>];
  NoticedIdentity: [plain.NoticedIdentity, Static<typeof NoticedIdentity>];
  Notification: [plain.Notification, Static<typeof Notification>];
  NotificationInput: [plain.NotificationInput, Static<typeof NotificationInput>];
  NotificationRequest: [plain.NotificationRequest, Static<typeof NotificationRequest>];
  PartInput: [plain.PartInput, Static<typeof PartInput>];
  Presence: [plain.Presence, Static<typeof Presence>];
  PresenceInput: [plain.PresenceInput, Static<typeof PresenceInput>];
  PresenceStatus: [plain.PresenceStatus, Static<typeof PresenceStatus>];
  Push: [plain.Push, Push];
  PushProvider: [plain.PushProvider, PushProvider];
  PushStatus: [plain.PushStatus, PushStatus];
  PushKey: [plain.PushKey, Static<typeof PushKey>];
  PushKeys: [plain.PushKeys, Static<typeof PushKeys>];
  PushTokenInput: [plain.PushTokenInput, Static<typeof PushTokenInput>];
  SettledPush: [plain.SettledPush, SettledPush];
  Reaction: [plain.Reaction, Static<typeof Reaction>];
  ReactionInput: [plain.ReactionInput, Static<typeof ReactionInput>];
  ReactionSummary: [plain.ReactionSummary, Static<typeof ReactionSummary>];
  Receipt: [plain.Receipt, Static<typeof Receipt>];
  ReceiptInput: [plain.ReceiptInput, Static<typeof ReceiptInput>];
  RecipientStatus: [plain.RecipientStatus, Static<typeof RecipientStatus>];
  ReplayCount: [plain.ReplayCount, Static<typeof ReplayCount>];
  ReplayInput: [plain.ReplayInput, Static<typeof ReplayInput>];
  Schedule: [plain.Schedule, Static<typeof Schedule>];
  ScheduledMessage: [plain.ScheduledMessage, Static<typeof ScheduledMessage>];
  SecretInput: [plain.SecretInput, Static<typeof SecretInput>];
  ServerMessageInput: [plain.ServerMessageInput, Static<typeof ServerMessageInput>];
  Session: [plain.Session, Static<typeof Session>];
  SessionInput: [plain.SessionInput, Static<typeof SessionInput>];
  SetMessageMetadata: [plain.SetMessageMetadata, Static<typeof SetMessageMetadata>];
  SetMessageMetadataKey: [plain.SetMessageMetadataKey, Static<typeof SetMessageMetadataKey>];
  SetMetadata: [plain.SetMetadata, Static<typeof SetMetadata>];
  SetMetadataKey: [plain.SetMetadataKey, Static<typeof SetMetadataKey>];
  SetParticipants: [plain.SetParticipants, Static<typeof SetParticipants>];
  ShowHistory: [plain.ShowHistory, Static<typeof ShowHistory>];
  Significance: [plain.Significance, Static<typeof Significance>];
  SuspensionStep: [plain.SuspensionStep, Static<typeof SuspensionStep>];
  TestEventInput: [plain.TestEventInput, Static<typeof TestEventInput>];
  TextPartInput: [plain.TextPartInput, Static<typeof TextPartInput>];
  User: [plain.User, Static<typeof User>];
  Webhook: [plain.Webhook, Static<typeof Webhook>];
  WebhookChanges: [plain.WebhookChanges, Static<typeof WebhookChanges>];
  WebhookEventName: [plain.WebhookEventName, Static<typeof WebhookEventName>];
  ConversationType: [plain.ConversationType, Static<typeof ConversationType>];
  ConversationTypeInput: [plain.ConversationTypeInput, Static<typeof ConversationTypeInput>];
  Frozen: [plain.Frozen, Static<typeof Frozen>];
  OwnRestriction: [plain.OwnRestriction, Static<typeof OwnRestriction>];
  Restriction: [plain.Restriction, Static<typeof Restriction>];
  RestrictionInput: [plain.RestrictionInput, Static<typeof RestrictionInput>];
  UserRestrictionInput: [plain.UserRestrictionInput, Static<typeof UserRestrictionInput>];
  SetRole: [plain.SetRole, Static<typeof SetRole>];
  DeleteRole: [plain.DeleteRole, Static<typeof DeleteRole>];
  SetFrozen: [plain.SetFrozen, Static<typeof SetFrozen>];
  SetSlowMode: [plain.SetSlowMode, Static<typeof SetSlowMode>];
  WebhookInput: [plain.WebhookInput, Static<typeof WebhookInput>];
  WebhookWithSecret: [plain.WebhookWithSecret, Static<typeof WebhookWithSecret>];
};
