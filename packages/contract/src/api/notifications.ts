import Type from 'typebox';
import { PUSH } from '../examples/push.ts';
import { limits } from '../limits.ts';
import { NotificationRequest } from '../records/notification.ts';
import { Push } from '../records/push.ts';
import { PushKey, PushTokenInput } from '../records/push-token.ts';
import type { Operations } from './operation.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';

export const NOTIFICATIONS = {
  registerPushToken: {
    route: 'POST /push_tokens',
    docs: 'users.md#devices',
    auth: 'session',
    operator: 'owner: messages',
    summary: 'Register a device for pushes',
    tag: 'Notifications',
    description:
      'Registers the device for pushes, until the session is logged out. A device that registers again replaces its token. A token that another device of another user registered is refused, unless the keys of its subscription are the same.',
    body: {
      schema: PushTokenInput,
      example: {
        token: '740f4707bebcf74f',
        type: 'apns',
        device_id: 'phone-1',
        bundle_id: 'com.example.chat',
      },
      required: true,
    },
    success: { 202: { description: 'Pushes go to the device from now on.' } },
    errors: ['missing_property', 'invalid_property', 'invalid_operation'],
  },
  getPushKey: {
    route: 'GET /push_key',
    docs: 'users.md#devices',
    auth: 'session',
    operator: 'operator: none',
    summary: 'Get the key of subscriptions to pushes',
    tag: 'Notifications',
    description:
      'Returns the key with which browsers subscribe to the pushes of the application. It stays the same for good.',
    success: {
      200: {
        description: 'The key.',
        body: {
          schema: PushKey,
          example: {
            public_key:
              'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          },
        },
      },
    },
    errors: [],
  },
  listPushes: {
    route: 'GET /apps/:app_uuid/users/:user_id/pushes',
    docs: 'users.md#pushes',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List pushes to a user',
    kind: 'list',
    tag: 'Notifications',
    description: "The pushes to a user's devices, newest first. They are kept for three days.",
    parameters: pageParameters(limits.deliveryPage, 'pushes'),
    success: {
      200: {
        description: 'A page of pushes.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(Push), example: [PUSH] },
      },
    },
    errors: ['not_found', 'invalid_property'],
  },
  deletePushToken: {
    route: 'DELETE /push_tokens/:device_id',
    docs: 'users.md#devices',
    auth: 'session',
    operator: 'operator: none',
    summary: 'Remove a device from pushes',
    tag: 'Notifications',
    description: 'Ends pushes to the device. A device that is not registered is fine.',
    success: { 202: { description: 'No push goes to the device any more.' } },
    errors: [],
  },
  requestNotification: {
    route: 'POST /apps/:app_uuid/notifications',
    docs: 'messages.md#notifications',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Push without a message',
    tag: 'Notifications',
    description: 'Sends a push without a message to all devices of the recipients.',
    body: {
      schema: NotificationRequest,
      example: { recipients: ['bob'], notification: { title: 'News', text: 'Something new' } },
      required: true,
    },
    success: { 202: { description: 'The pushes are on their way.' } },
    errors: ['missing_property', 'invalid_property'],
  },
} satisfies Operations;
