import Type from 'typebox';
import { UUID } from '../patterns.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { count, named } from '../schema/schema.ts';
import type { Channel } from './channel.ts';
import type { Message } from './message.ts';

const PushDevice = named(
  'PushDevice',
  Type.Object(
    {
      deviceId: Type.String({ description: 'The device, as the client names it.' }),
      type: Type.String({ description: 'The push service.', examples: ['apns'] }),
      token: Type.String({ description: 'The address of the device at the push service.' }),
      updatedAt: Type.Number({ description: 'When it was registered, in milliseconds since the epoch.' }),
      details: Type.Optional(Type.Object({}, { description: 'What else the client said of the device.' })),
    },
    { description: 'A device that a push goes to.' },
  ),
);

const PushNotification = named(
  'PushNotification',
  Type.Object(
    {
      title: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      sound: Type.Optional(Type.String()),
    },
    { description: 'What the devices show.' },
  ),
);

const PushBadge = named(
  'PushBadge',
  Type.Object(
    {
      unreadConversationCount: Type.Optional(count('Conversations with unread messages.')),
      unreadMessageCount: Type.Optional(count('Unread messages.')),
      externalUnreadCount: Type.Optional(count('What the application added by `PUT …/badge`.')),
    },
    { description: 'What waited for the user when the push was made. A count that is left out is 0.' },
  ),
);

const PushRequested = named(
  'PushRequested',
  Type.Object({
    userId: Type.String(),
    tokens: Type.Array(PushDevice, { minItems: 1 }),
    notification: PushNotification,
    badge: PushBadge,
    conversationId: Type.Optional(Type.String({ description: 'UUID, of a push for a message.' })),
    messageId: Type.Optional(Type.String({ description: 'UUID, of a push for a message.' })),
  }),
);

const PushEvent = named(
  'PushEvent',
  Type.Object({
    id: Type.String({
      pattern: `^${UUID}$`,
      description: 'The same whenever the event is delivered again: push once for each.',
    }),
    appId: Type.String({ pattern: `^${UUID}$` }),
    createdAt: Type.Number({ description: 'Milliseconds since the epoch.' }),
    pushRequested: PushRequested,
  }),
);

const PUSH_REQUESTED: Message = {
  name: 'PushRequested',
  title: 'Pushes to send',
  summary: 'Users who have devices are to get a push.',
  description:
    'The payload is the Protocol Buffers message `parley.event.v1.EventBatch` of `proto/parley/event/v1/event.proto`; the schema describes its JSON form. Keys that a consumer does not know are to be ignored.',
  contentType: 'application/x-protobuf',
  payload: Type.Object({ events: Type.Array(PushEvent, { minItems: 1 }) }),
  examples: [
    {
      name: 'Push for a message',
      payload: {
        events: [
          {
            id: EXAMPLE.event,
            appId: EXAMPLE.app,
            createdAt: 1_795_205_730_123,
            pushRequested: {
              userId: 'bob',
              tokens: [{ deviceId: 'phone', type: 'apns', token: 'c0ffee', updatedAt: 1_795_000_000_000 }],
              notification: { title: 'Ada Lovelace', text: 'Hello, Bob!' },
              badge: { unreadConversationCount: 1, unreadMessageCount: 1 },
              conversationId: EXAMPLE.conversation,
              messageId: EXAMPLE.message,
            },
          },
        ],
      },
    },
  ],
};

/** The channel that a push connector consumes. */
export const PUSHES: Channel = {
  id: 'pushes',
  object: {
    address: 'event.{app_uuid}.push.requested',
    title: 'Pushes',
    description:
      'A subject of the JetStream stream `EVENTS`, which keeps events for 7 days. A connector consumes it by a durable consumer: each event comes at least once, in no particular order. The push service of the platform consumes it, too: it sends to browsers, and to phones where the application has credentials for them.',
    servers: [{ $ref: '#/servers/broker' }],
    parameters: { app_uuid: { description: 'UUID of the application; `*` subscribes to all.' } },
  },
  operations: [
    {
      id: 'requestPushes',
      action: 'send',
      title: 'Request pushes',
      summary: 'Ask the push connector of the operator to send pushes.',
      description:
        'For messages with a `notification`, and for `POST …/notifications`. Users without a device, and those who left, hid or blocked meanwhile, are left out.',
      messages: [PUSH_REQUESTED],
    },
  ],
};
