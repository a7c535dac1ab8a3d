import type { Notification as NotificationJson } from '@parley/contract/records/message';
import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';

/** docs/protocol/records.md#notification */
export function notificationJson({ title, text, sound }: Notification): NotificationJson {
  return { title: title ?? null, text: text ?? null, sound: sound ?? null };
}
