import { NotificationRequest } from '../records/notification.ts';
import { PushTokenInput } from '../records/push-token.ts';
import type { Operations } from './operation.ts';

export const NOTIFICATIONS: Operations = {
  'POST /push_tokens': {
    id: 'registerPushToken',
    tag: 'Notifications',
    description:
      'Registers the device for pushes. A token belongs to the user who registered it last; a device that registers again replaces its token.',
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
  'DELETE /push_tokens/:device_id': {
    id: 'deletePushToken',
    tag: 'Notifications',
    description: 'Ends pushes to the device. A device that is not registered is fine.',
    success: { 202: { description: 'No push goes to the device any more.' } },
    errors: [],
  },
  'POST /apps/:app_uuid/notifications': {
    id: 'requestNotification',
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
};
