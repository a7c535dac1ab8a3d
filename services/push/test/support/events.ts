import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EventSchema, PushRequestedSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Device } from './platform.ts';

type Changes = Omit<MessageInitShape<typeof PushRequestedSchema>, '$typeName'>;

/** A push to devices of one user, for a message of Ada's. */
export function pushRequested(appId: string, devices: readonly Device[], changes: Changes = {}) {
  const value = {
    userId: devices[0]?.userId ?? '',
    tokens: devices.map(({ deviceId, type, token, details }) => ({ deviceId, type, token, details })),
    notification: { title: 'Ada', text: 'Hello', sound: 'ping.aiff' },
    badge: { unreadConversationCount: 1, unreadMessageCount: 1, externalUnreadCount: 0 },
    conversationId: randomUUID(),
    messageId: randomUUID(),
    sender: { userId: 'ada', displayName: 'Ada', avatarUrl: 'https://chat.example/ada.png' },
    ...changes,
  };
  return { appId, body: { case: 'pushRequested' as const, value } } satisfies MessageInitShape<
    typeof EventSchema
  >;
}
