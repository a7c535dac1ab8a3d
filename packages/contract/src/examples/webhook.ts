import type { Delivery, DeliveryWithAttempts } from '../records/delivery.ts';
import type { Webhook, WebhookInput } from '../records/webhook.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { APP_BASE } from './base.ts';
import { NOTICE_EXAMPLES } from './webhook-event.ts';

const URL = `${APP_BASE}/webhooks/${EXAMPLE.webhook}`;

/** A secret of Standard Webhooks, made for the examples. */
export const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

export const WEBHOOK_INPUT: WebhookInput = {
  version: '3.0',
  target_url: 'https://app.example.com/notices',
  events: ['Message.created', 'Conversation.created'],
  secret: SECRET,
  config: { tenant: 'blue' },
};

/** Right after it was registered, or is verified again. */
export const UNVERIFIED_WEBHOOK: Webhook = {
  id: `svc:///apps/${EXAMPLE.app}/webhooks/${EXAMPLE.webhook}`,
  url: URL,
  version: '3.0',
  target_url: 'https://app.example.com/notices',
  events: ['Message.created', 'Conversation.created'],
  status: 'unverified',
  status_reason: null,
  config: { tenant: 'blue' },
  created_at: '2026-11-20T20:15:30.123Z',
};

export const WEBHOOK: Webhook = { ...UNVERIFIED_WEBHOOK, status: 'active' };

export const INACTIVE_WEBHOOK: Webhook = {
  ...UNVERIFIED_WEBHOOK,
  status: 'inactive',
  status_reason: 'deactivated by request',
};

export const DELIVERY: Delivery = {
  id: EXAMPLE.delivery,
  url: `${URL}/deliveries/${EXAMPLE.delivery}`,
  webhook: { id: WEBHOOK.id, url: URL },
  event: { id: EXAMPLE.event, type: 'Message.created', created_at: '2026-11-20T20:15:30.123Z' },
  status: 'delivered',
  attempt_count: 1,
  created_at: '2026-11-20T20:15:30.200Z',
  next_attempt_at: null,
  settled_at: '2026-11-20T20:15:30.400Z',
};

export const DELIVERY_WITH_ATTEMPTS: DeliveryWithAttempts = {
  ...DELIVERY,
  attempts: [
    {
      at: '2026-11-20T20:15:30.380Z',
      duration_ms: 120,
      response_status: 200,
      response_body: 'ok',
      error: null,
    },
  ],
  body: NOTICE_EXAMPLES['Message.created'],
};
