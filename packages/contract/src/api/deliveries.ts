import Type from 'typebox';
import { DELIVERY, DELIVERY_WITH_ATTEMPTS } from '../examples/webhook.ts';
import { limits } from '../limits.ts';
import {
  Delivery,
  DeliveryStatus,
  DeliveryWithAttempts,
  ReplayCount,
  ReplayInput,
  TestEventInput,
} from '../records/delivery.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operations } from './operation.ts';

const PATH = '/apps/:app_uuid/webhooks/:webhook_id/deliveries';

export const DELIVERIES = {
  listDeliveries: {
    route: `GET ${PATH}`,
    docs: 'webhooks.md#look-at-deliveries-and-replay-them',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'List deliveries',
    accept: 'webhooks',
    kind: 'list',
    tag: 'Webhooks',
    description: 'The deliveries of a webhook, newest first.',
    parameters: [
      { name: 'status', in: 'query', schema: DeliveryStatus },
      ...pageParameters(limits.deliveryPage, 'deliveries'),
    ],
    success: {
      200: {
        description: 'A page of deliveries.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(Delivery), example: [DELIVERY] },
      },
    },
    errors: ['not_found', 'invalid_property'],
  },
  getDelivery: {
    route: `GET ${PATH}/:delivery_id`,
    docs: 'webhooks.md#look-at-deliveries-and-replay-them',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Get a delivery',
    accept: 'webhooks',
    tag: 'Webhooks',
    description: 'A delivery with its attempts and its body.',
    success: {
      200: {
        description: 'The delivery.',
        body: { schema: DeliveryWithAttempts, example: DELIVERY_WITH_ATTEMPTS },
      },
    },
    errors: ['not_found'],
  },
  sendTestEvent: {
    route: 'POST /apps/:app_uuid/webhooks/:webhook_id/test',
    docs: 'webhooks.md#test-events',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Send a test event',
    accept: 'webhooks',
    tag: 'Webhooks',
    description:
      'Delivers an example of an event to a webhook, as every event is delivered: signed, and with retries. In its body `event.test` is true. The names of users and conversations in it do not exist.',
    body: { schema: TestEventInput, example: { event: 'Message.created' }, required: false },
    success: {
      202: {
        description: 'The delivery is due now, or once the webhook is active.',
        body: {
          schema: Delivery,
          example: { ...DELIVERY, status: 'pending', attempt_count: 0, settled_at: null },
        },
      },
    },
    errors: ['not_found', 'invalid_property'],
  },
  replayDeliveries: {
    route: `POST ${PATH}/replay`,
    docs: 'webhooks.md#look-at-deliveries-and-replay-them',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Replay deliveries of a time',
    accept: 'webhooks',
    kind: 'patch',
    tag: 'Webhooks',
    description:
      'Sends the dead deliveries of a time again, or the delivered ones, each with a new schedule of attempts.',
    body: { schema: ReplayInput, example: { from: '2026-11-20T00:00:00.000Z' }, required: true },
    success: {
      202: { description: 'They are due now.', body: { schema: ReplayCount, example: { count: 3 } } },
    },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
  replayDelivery: {
    route: `POST ${PATH}/:delivery_id/replay`,
    docs: 'webhooks.md#look-at-deliveries-and-replay-them',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Replay a delivery',
    accept: 'webhooks',
    tag: 'Webhooks',
    description: 'Sends a delivery again, a delivered one too, with a new schedule of attempts.',
    success: { 202: { description: 'The delivery is due now.' } },
    errors: ['not_found'],
  },
} satisfies Operations;
