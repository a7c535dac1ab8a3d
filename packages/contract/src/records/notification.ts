import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { identityInput } from '../schema/ids.ts';
import { mapOf, named, optional, text } from '../schema/schema.ts';

const MOST = limits.notificationText;

export const NotificationInput = named(
  'NotificationInput',
  Type.Object(
    {
      title: optional(text('Text on a lock screen or banner.', MOST)),
      text: optional(text('What the notification says.', MOST)),
      sound: optional(text("Name of a sound in the app's bundle.", MOST)),
    },
    {
      description: `What devices show; each text has at most ${MOST} characters. A badge cannot be given: it is counted for each user.`,
    },
  ),
);
export type NotificationInput = Static<typeof NotificationInput>;

export const NotificationRequest = named(
  'NotificationRequest',
  Type.Object(
    {
      recipients: Type.Array(identityInput('A user.'), {
        minItems: 1,
        maxItems: limits.notificationRecipients,
        description: `Whom to notify, at most ${limits.notificationRecipients} users. Users without devices are skipped.`,
      }),
      notification: NotificationInput,
      ttl: optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.pushTtlInSeconds,
          description: 'Seconds for which it is worth showing; default: a day.',
        }),
      ),
      data: optional(
        mapOf(Type.Unknown(), {
          description: `For the application on the device, at most ${limits.pushDataBytes} bytes as JSON.`,
        }),
      ),
    },
    { description: 'A push without a message.' },
  ),
);
export type NotificationRequest = Static<typeof NotificationRequest>;
