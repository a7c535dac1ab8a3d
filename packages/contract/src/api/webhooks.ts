import Type from 'typebox';
import { INACTIVE_WEBHOOK, SECRET, UNVERIFIED_WEBHOOK, WEBHOOK, WEBHOOK_INPUT } from '../examples/webhook.ts';
import { SecretInput, Webhook, WebhookChanges, WebhookInput, WebhookWithSecret } from '../records/webhook.ts';
import { COUNT_HEADER } from './parameters.ts';
import type { Operations } from './operation.ts';

const WEBHOOKS_PATH = '/apps/:app_uuid/webhooks';
const PATH = `${WEBHOOKS_PATH}/:webhook_id`;

const VERIFICATION =
  'The target is asked with `GET` and the query parameter `verification_challenge`; it has to answer 200 with the challenge as its whole body within 10 seconds. The webhook is `active` then, otherwise `inactive`.';

export const WEBHOOKS: Operations = {
  [`POST ${WEBHOOKS_PATH}`]: {
    id: 'createWebhook',
    tag: 'Webhooks',
    description: `Registers a target for events, and verifies it. ${VERIFICATION}`,
    body: { schema: WebhookInput, example: WEBHOOK_INPUT, required: true },
    success: {
      201: {
        description: 'The webhook waits for its verification.',
        body: { schema: Webhook, example: UNVERIFIED_WEBHOOK },
      },
    },
    errors: ['missing_property', 'invalid_property', 'invalid_operation'],
  },
  [`GET ${WEBHOOKS_PATH}`]: {
    id: 'listWebhooks',
    tag: 'Webhooks',
    description: 'All webhooks of the app, oldest first.',
    success: {
      200: {
        description: 'The webhooks.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(Webhook), example: [WEBHOOK] },
      },
    },
    errors: [],
  },
  [`GET ${PATH}`]: {
    id: 'getWebhook',
    tag: 'Webhooks',
    description: 'A webhook.',
    success: { 200: { description: 'The webhook.', body: { schema: Webhook, example: WEBHOOK } } },
    errors: ['not_found'],
  },
  [`PATCH ${PATH}`]: {
    id: 'updateWebhook',
    tag: 'Webhooks',
    description:
      'Changes some properties. A new target is verified before it gets anything. A new secret replaces the old one at once; rotating it leaves a day to move.',
    body: {
      schema: WebhookChanges,
      example: { events: ['Message.created', 'Conversation.created'] },
      required: true,
    },
    success: { 200: { description: 'The changed webhook.', body: { schema: Webhook, example: WEBHOOK } } },
    errors: ['not_found', 'invalid_property'],
  },
  [`DELETE ${PATH}`]: {
    id: 'deleteWebhook',
    tag: 'Webhooks',
    description: 'Deletes a webhook with its deliveries.',
    success: { 204: { description: 'The webhook is gone.' } },
    errors: ['not_found'],
  },
  [`POST ${PATH}/activate`]: {
    id: 'activateWebhook',
    tag: 'Webhooks',
    description: `Verifies a webhook again. ${VERIFICATION}`,
    success: {
      200: {
        description: 'The webhook waits for its verification.',
        body: { schema: Webhook, example: UNVERIFIED_WEBHOOK },
      },
    },
    errors: ['not_found'],
  },
  [`POST ${PATH}/deactivate`]: {
    id: 'deactivateWebhook',
    tag: 'Webhooks',
    description: 'Pauses a webhook. Its deliveries wait until it is active again.',
    success: {
      200: { description: 'The webhook.', body: { schema: Webhook, example: INACTIVE_WEBHOOK } },
    },
    errors: ['not_found'],
  },
  [`POST ${PATH}/rotate_secret`]: {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    description: 'Replaces the secret. The old one signs too for 24 hours.',
    body: { schema: SecretInput, example: {}, required: false },
    success: {
      200: {
        description: 'The webhook with its new secret, shown this once.',
        body: { schema: WebhookWithSecret, example: { ...WEBHOOK, secret: SECRET } },
      },
    },
    errors: ['not_found', 'invalid_property'],
  },
};
