import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { named, oneOf, storedText } from '../schema/schema.ts';
import { PUSH_TOKEN_TYPES } from '../values.ts';

export const PushTokenInput = named(
  'PushTokenInput',
  Type.Object(
    {
      token: storedText(
        `The token that the push service gave the device, at most ${limits.pushTokenBytes} bytes of UTF-8.`,
        limits.pushTokenBytes,
        1,
      ),
      type: oneOf(PUSH_TOKEN_TYPES, 'The push service.'),
      device_id: storedText('Names the device; a device has one token of the user.', limits.userId, 1),
    },
    {
      additionalProperties: Type.Unknown(),
      description: `Where pushes to a device go. Further properties are kept for the program that sends the pushes, at most ${limits.pushTokenBytes} bytes as JSON.`,
    },
  ),
);
export type PushTokenInput = Static<typeof PushTokenInput>;
