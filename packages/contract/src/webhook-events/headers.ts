import Type from 'typebox';
import type { Parameter } from '../api/operation.ts';
import { UUID } from '../patterns.ts';
import { WEBHOOK_URI, WebhookEventName } from '../records/webhook.ts';
import { EXAMPLE } from '../schema/ids.ts';

const DELIVERY_ID = Type.String({
  pattern: `^${UUID}$`,
  description:
    'Id of the delivery, the same in all of its attempts: a target that knows it has had this event.',
  examples: [EXAMPLE.delivery],
});

/**
 * Headers of a delivery. Both kinds of signatures are always there: the platform's own, and those of Standard Webhooks.
 * docs/protocol/webhooks.md#headers-of-a-delivery
 */
export const NOTICE_HEADERS: readonly Parameter[] = [
  header('svc-webhook-event-type', WebhookEventName),
  header('svc-webhook-id', WEBHOOK_URI),
  header('svc-webhook-request-id', DELIVERY_ID),
  header(
    'svc-webhook-signature',
    Type.String({
      pattern: '^[0-9a-f]{40}$',
      description: 'HMAC-SHA1 of the raw body in lower-case hex; the key is the UTF-8 text of the secret.',
    }),
  ),
  {
    ...header(
      'svc-webhook-signature-previous',
      Type.String({
        pattern: '^[0-9a-f]{40}$',
        description: 'The same with the previous secret, for 24 hours after it was rotated.',
      }),
    ),
    required: false,
  },
  header('webhook-id', DELIVERY_ID),
  header(
    'webhook-timestamp',
    Type.String({ pattern: '^[0-9]+$', description: 'Seconds since 1970 when this attempt was made.' }),
  ),
  header(
    'webhook-signature',
    Type.String({
      pattern: '^v1,[A-Za-z0-9+/]+={0,2}( v1,[A-Za-z0-9+/]+={0,2})*$',
      description:
        'By Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, one for each secret that signs. Of a secret that begins with `whsec_` the rest, decoded from base64, is the key; of any other its UTF-8 text.',
    }),
  ),
  header('User-Agent', Type.String({ description: 'Names the platform.', examples: ['svc-webhooks/3.0'] })),
];

function header(name: string, schema: Parameter['schema']): Parameter {
  return { name, in: 'header', required: true, schema };
}
