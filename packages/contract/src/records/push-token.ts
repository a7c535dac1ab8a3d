import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { NO_DOT_SEGMENT } from '../patterns.ts';
import { named, oneOf, optional, storedText, text } from '../schema/schema.ts';
import { PUSH_TOKEN_TYPES } from '../values.ts';

/** A length that no key of a subscription reaches. */
const KEY_CHARACTERS = 200;

export const PushKeys = named(
  'PushKeys',
  Type.Object(
    {
      p256dh: text('A point of the curve P-256, uncompressed, as base64url.', KEY_CHARACTERS),
      auth: text('16 random bytes, as base64url.', KEY_CHARACTERS),
    },
    { description: 'The keys of a subscription to Web Push, as `PushSubscription.toJSON()` gives them.' },
  ),
);

export const PushTokenInput = named(
  'PushTokenInput',
  Type.Object(
    {
      token: storedText(
        `The token that the push service gave the device, of a browser the subscription's endpoint; at most ${limits.pushTokenBytes} bytes of UTF-8.`,
        limits.pushTokenBytes,
        1,
      ),
      type: oneOf(PUSH_TOKEN_TYPES, 'The push service.'),
      keys: optional(PushKeys),
      device_id: Type.String({
        minLength: 1,
        maxLength: limits.userId,
        pattern: `^${NO_DOT_SEGMENT}[^\\u0000]+$`,
        description: 'Names the device; a device has one token of the user. Neither `.` nor `..`.',
        examples: ['phone-1'],
      }),
    },
    {
      additionalProperties: Type.Unknown(),
      description: `Where pushes to a device go. One of a browser has keys. Further properties are kept, at most ${limits.pushTokenBytes} bytes as JSON.`,
    },
  ),
);
export type PushTokenInput = Static<typeof PushTokenInput>;

export const PushKey = named(
  'PushKey',
  Type.Object(
    {
      public_key: Type.String({
        description:
          'A point of the curve P-256, uncompressed, as base64url: the `applicationServerKey` of a subscription.',
      }),
    },
    { description: 'The key with which browsers subscribe to the pushes of an application.' },
  ),
);
