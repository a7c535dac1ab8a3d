import Type from 'typebox';
import { INACTIVE_WEBHOOK, SECRET, UNVERIFIED_WEBHOOK, WEBHOOK, WEBHOOK_INPUT } from '../examples/webhook.ts';
import { SecretInput, Webhook, WebhookChanges, WebhookInput, WebhookWithSecret } from '../records/webhook.ts';
import { COUNT_HEADER } from './parameters.ts';
import type { Operations } from './operation.ts';

const WEBHOOKS_PATH = '/apps/:app_uuid/webhooks';
const PATH = `${WEBHOOKS_PATH}/:webhook_id`;

const VERIFICATION =
  'The target is asked with `GET` and the query parameter `verification_challenge`; it has to answer 200 with the challenge as its whole body within 10 seconds. The webhook is `active` then, otherwise `inactive`.';

export const WEBHOOKS = {
  createWebhook: {
    route: `POST ${WEBHOOKS_PATH}`,
    docs: 'webhooks.md#register-a-webhook',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Register a webhook',
    accept: 'webhooks',
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
  listWebhooks: {
    route: `GET ${WEBHOOKS_PATH}`,
    docs: 'webhooks.md#register-a-webhook',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'List webhooks',
    accept: 'webhooks',
    kind: 'list',
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
  getWebhook: {
    route: `GET ${PATH}`,
    docs: 'webhooks.md#register-a-webhook',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'Get a webhook',
    accept: 'webhooks',
    tag: 'Webhooks',
    description: 'A webhook.',
    success: { 200: { description: 'The webhook.', body: { schema: Webhook, example: WEBHOOK } } },
    errors: ['not_found'],
  },
  updateWebhook: {
    route: `PATCH ${PATH}`,
    docs: 'webhooks.md#register-a-webhook',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Change a webhook',
    accept: 'webhooks',
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
  deleteWebhook: {
    route: `DELETE ${PATH}`,
    docs: 'webhooks.md#register-a-webhook',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Delete a webhook',
    accept: 'webhooks',
    tag: 'Webhooks',
    description: 'Deletes a webhook with its deliveries.',
    success: { 204: { description: 'The webhook is gone.' } },
    errors: ['not_found'],
  },
  activateWebhook: {
    route: `POST ${PATH}/activate`,
    docs: 'webhooks.md#verification',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Verify and activate a webhook',
    accept: 'webhooks',
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
  deactivateWebhook: {
    route: `POST ${PATH}/deactivate`,
    docs: 'webhooks.md#verification',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Deactivate a webhook',
    accept: 'webhooks',
    tag: 'Webhooks',
    description: 'Pauses a webhook. Its deliveries wait until it is active again.',
    success: {
      200: { description: 'The webhook.', body: { schema: Webhook, example: INACTIVE_WEBHOOK } },
    },
    errors: ['not_found'],
  },
  rotateWebhookSecret: {
    route: `POST ${PATH}/rotate_secret`,
    docs: 'webhooks.md#rotating-the-secret',
    auth: 'bearer',
    operator: 'owner: credentials',
    summary: "Rotate a webhook's secret",
    accept: 'webhooks',
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
} satisfies Operations;
