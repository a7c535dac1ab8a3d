import Type from 'typebox';
import { NOTICE_EXAMPLES } from '../examples/webhook-event.ts';
import type { Body, Parameter } from '../api/operation.ts';
import { NOTICES } from '../records/webhook-event.ts';
import { WEBHOOK_EVENTS } from '../values.ts';
import { NOTICE_HEADERS } from './headers.ts';

/** A request of the platform to the target of a webhook. */
export type WebhookRequest = {
  /** Unique; the name of the function that serves it. */
  id: string;
  method: 'GET' | 'POST';
  summary: string;
  /** CommonMark. */
  description: string;
  parameters: readonly Parameter[];
  body?: Body;
  /** Meanings of answers, by HTTP status as OpenAPI writes it. */
  answers: Readonly<Record<string, { description: string; body?: Body }>>;
};

const MEDIA_TYPE = 'application/vnd.svc.webhooks+json; version=3.0';

const DELIVERY_ANSWERS = {
  '2XX': { description: 'The event has arrived. The answer has to come within 10 seconds.' },
  '410': { description: 'The target is gone: the webhook is deactivated and the delivery is dead.' },
  default: {
    description:
      'Another status, a redirect or no answer is a failure. Retries follow after 10 s, 30 s, 2 min, 5 min, 20 min, 1 h, 4 h, 12 h, 24 h and 24 h, or later when `Retry-After` says so; then the delivery is dead and can be replayed for 30 days.',
  },
};

const NOTES =
  'Events may arrive in another order than they happened, and more than once: `svc-webhook-request-id` tells repeats apart. Check one of the signatures before anything else.';

/** The requests that targets get, by name: one for each event, and the verification. */
export const WEBHOOK_REQUESTS: Readonly<Record<string, WebhookRequest>> = {
  ...Object.fromEntries(WEBHOOK_EVENTS.map((type) => [type, deliveryOf(type)])),
  'Webhook.verification': {
    id: 'verifyWebhook',
    method: 'GET',
    summary: 'Verify a webhook',
    description:
      'Sent once when a webhook is registered, gets a new target or is activated. Nothing is delivered before it succeeds.',
    parameters: [
      {
        name: 'verification_challenge',
        in: 'query',
        required: true,
        schema: Type.String({ description: 'A random text.' }),
      },
    ],
    answers: {
      '200': {
        description: 'The challenge as the whole body, with any media type, makes the webhook active.',
        body: { schema: Type.String(), example: 'pG0kqGzV6XbC1mQnX3s8yA', mediaTypes: ['text/plain'] },
      },
      default: { description: 'Anything else makes the webhook inactive. It is not tried again.' },
    },
  },
};

function deliveryOf(type: (typeof WEBHOOK_EVENTS)[number]): WebhookRequest {
  const schema = NOTICES[type];
  const { description } = schema as { description?: string };
  return {
    id: `on${nameOf(type)}`,
    method: 'POST',
    summary: type,
    description: `${description ?? type} ${NOTES}`,
    parameters: NOTICE_HEADERS,
    body: { schema, example: NOTICE_EXAMPLES[type], mediaTypes: [MEDIA_TYPE] },
    answers: DELIVERY_ANSWERS,
  };
}

/** An event in the names of functions and messages: `MessagePart.created` is `MessagePartCreated`. */
export function nameOf(type: (typeof WEBHOOK_EVENTS)[number]): string {
  return type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
