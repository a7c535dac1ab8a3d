import { globSync } from 'node:fs';
import path from 'node:path';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';

// Every answer between processes fits into one message. Who adds a call whose answer can grow either gives it a budget, and
// names it here with what bounds it, or learns of it by this test.

const BY_BYTES = "ends where its budget does, at the caller's wish";
const IN_HALVES = 'is refused when it would be too large, and asked for in halves';

/** What bounds the answer of each call that has a list in it. */
const budgets: Record<string, string> = {
  'messaging.MessagingService.ListConversations': BY_BYTES,
  'messaging.MessagingService.ListMessages': BY_BYTES,
  'messaging.MessagingService.GetAudiences': BY_BYTES,
  'messaging.ScheduleService.ListScheduledMessages': BY_BYTES,
  'announcement.AnnouncementService.ListReceivedAnnouncements': BY_BYTES,
  'identity.RelationService.ListFollowing': `${BY_BYTES}; 500 user ids otherwise`,
  'identity.RelationService.ListBlocks': BY_BYTES,
  'identity.RelationService.ListBlockStates': '1,000 user ids of at most 256 characters',
  'identity.RelationService.UpdateBlocks': 'a version for each user of the request, of at most 1 MiB',
  'identity.AdminService.SearchUsers': 'ends where the budget of an answer does',
  'changelog.ChangeLogService.ListConversationEvents': 'ends where the budget of an answer does',
  'changelog.ChangeLogService.ListUserEvents': 'ends where the budget of an answer does',
  'messaging.ExportSourceService.ExportConversations': 'each message of the stream has a budget',
  'messaging.ExportSourceService.ExportMessages': 'each message of the stream has a budget',
  'identity.IdentityService.FindIdentities': IN_HALVES,
  'identity.PushTokenService.ListPushTargets': IN_HALVES,
  'identity.IdentityService.ResolveTokens': 'at most 500 tokens in a call, in halves when that is refused',
  'identity.IdentityService.FindUnknownUsers': 'no larger than the request',
  'identity.IdentityService.ListRevocations': '10,000 ids of 36 or 256 characters',
  'identity.PresenceService.GetPresences': '1,000 users of a request, some hundred bytes each',
  'identity.PresenceService.ListHiddenFrom': 'no larger than the request',
  'messaging.EventInterestService.ListEventInterests': '10,000 applications of 80 bytes',
  'messaging.EventInterestService.ListLoggedEvents': '2,000 events of 120 bytes',
  'messaging.MessagingService.SendMessages':
    'the messages of the request, of at most 1 MiB, and duplicates up to a budget',
  'messaging.MessagingService.RecordReceipts': 'a problem for each item of the request',
  'messaging.MessagingService.GetUnreadCounts': '500 items of a request, 60 bytes each',
  'messaging.NotificationService.CheckPushes': 'a result of 24 bytes for each item of the request',
  'messaging.MessagingService.GetReceipts': 'those who took part in a stretch of at most 1,024 positions',
  'messaging.MessagingService.GetMessage': 'those who took part at one position',
  'messaging.ScheduleService.ScheduleMessage': 'those who took part at one position, of a duplicate',
  'messaging.MessagingService.ListMessageIds': '1,000 ids',
  'messaging.ExportSourceService.ListMessagePlaces': '1,000 ids with their senders',
  'content.ContentService.GetContents': 'one content of a request, with at most 100 references',
  'content.ContentService.ClaimContents': 'a number for each part of one message',
  'recovery.RecoveryService.AfterRestore': 'counts of one page, and at most 100 notes',
  'recovery.IdentityRecoveryService.ListKnownConversations': '500 conversations, 90 bytes each',
  'recovery.MessagingRecoveryService.ListIdentityCopies': '100 copies with names and avatars',
  'recovery.MessagingRecoveryService.ListBlockCopies': '500 pairs of user ids',
  'recovery.MessagingRecoveryService.ListShorterConversations': 'no larger than the request',
  'recovery.MessagingRecoveryService.ListContentMessages': 'ids of the contents of at most 100 messages',
  'recovery.MessagingRecoveryService.FindContentMessages': 'ids of the contents of the messages of a request',
  'recovery.ContentRecoveryService.AdoptContents': 'no larger than the request',
  'recovery.ContentRecoveryService.ListReleasedMessages': '500 ids',
  'rpc.MultiplexService.Multiplex': 'each message of the stream answers one call, which has a budget',
  'webhook.WebhookService.ListWebhooks': '100 of an app (PARLEY_MAX_WEBHOOKS_PER_APP), 20 KB each',
  'webhook.WebhookService.ListDeliveries': '100 without bodies or attempts',
  'push.PushAdminService.GetPushCredentials': 'one of each provider, without secrets',
  'push.PushService.ListPushes': '100 without texts',
  'export.ExportService.ListExports': 'those that have not expired, 1 KB each',
  'identity.AdminService.ListApps': 'what the operator registered',
  'identity.AdminService.ListProviders': 'what the operator registered',
  'identity.AdminService.ListKeys': 'what the operator registered',
  'identity.AdminService.ListAccessTokens': 'what the operator registered',
  'identity.AdminService.ListAuditEntries': 'a page of at most 500, some hundred bytes each',
  'identity.ConsoleService.ListConsoleSessions': '100 sessions of one person',
  'identity.AdminService.ListOpenConsoleSessions': '100 sessions, with their roles',
  'identity.ConsoleService.ResolveAutomationToken': 'at most 1,000 roles',
  'identity.AdminService.CreateAutomationToken': 'at most 1,000 roles',
  'identity.AdminService.ListAutomationTokens': 'what the operator made',
  'identity.ConsoleService.OpenConsoleSession': 'one session, with its roles',
  'identity.ConsoleService.RedeemSignInCode': 'one session, with its roles',
  'identity.ConsoleService.ResumeConsoleSession': 'one session, with its roles',
  'identity.AdminService.GetFigures': 'at most 1,600 steps of fifteen numbers',
  'identity.AdminService.ListUserDevices': 'at most 500 devices of one user, without their tokens',
  'identity.AdminService.ListUserSessions': 'sessions of one user, 100 bytes each',
  'identity.AdminService.ValidateIdentityToken': 'the rules, of a fixed list',
};

/** One record, bounded by the limits on what callers give. */
const OBJECTS = new Set([
  'parley.messaging.v1.Message',
  'parley.messaging.v1.Conversation',
  'parley.messaging.v1.ScheduledMessage',
  'parley.messaging.v1.Part',
  'parley.announcement.v1.Announcement',
  'parley.announcement.v1.ReceivedAnnouncement',
  'parley.identity.v1.App',
  'parley.identity.v1.Identity',
  'parley.webhook.v1.Webhook',
  'parley.webhook.v1.Delivery',
  'google.protobuf.Struct',
]);

const generated = path.resolve(import.meta.dirname, '../../../../proto/gen/parley');

async function allFiles(): Promise<DescFile[]> {
  const paths = globSync('*/v1/*_pb.js', { cwd: generated });
  const modules = await Promise.all(
    paths.map((name) => import(path.join(generated, name)) as Promise<object>),
  );
  return modules
    .flatMap((module) => Object.values(module) as DescFile[])
    .filter(({ kind }) => kind === 'file');
}

function hasList(message: DescMessage, seen = new Set<string>()): boolean {
  if (seen.has(message.typeName) || OBJECTS.has(message.typeName)) return false;
  seen.add(message.typeName);
  return message.fields.some(
    (field) =>
      field.fieldKind === 'list' ||
      field.fieldKind === 'map' ||
      (field.fieldKind === 'message' && hasList(field.message, seen)),
  );
}

test('every call whose answer has a list has a budget, or a reason why it needs none', async () => {
  const methods = (await allFiles()).flatMap(({ services }) =>
    services.flatMap((service) => service.methods),
  );
  expect(methods.length).toBeGreaterThan(60);
  const growing = methods
    .filter(({ output }) => hasList(output))
    .map(({ parent, name }) => `${parent.typeName.replace('parley.', '').replace('.v1', '')}.${name}`);
  expect(growing.toSorted()).toEqual(Object.keys(budgets).toSorted());
});
