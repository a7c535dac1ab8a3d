import { WEBHOOK_EVENTS } from '@parley/contract/values';

export { WEBHOOK_EVENTS };

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export function isWebhookEvent(name: unknown): name is WebhookEvent {
  return (WEBHOOK_EVENTS as readonly unknown[]).includes(name);
}
