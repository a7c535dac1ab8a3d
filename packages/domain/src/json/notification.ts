import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';

export type NotificationJson = { title: string | null; text: string | null; sound: string | null };

/** SPEC Notification object */
export function notificationJson({ title, text, sound }: Notification): NotificationJson {
  return { title: title ?? null, text: text ?? null, sound: sound ?? null };
}
