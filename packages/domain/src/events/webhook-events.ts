import { WEBHOOK_EVENTS } from '@parley/contract/values';

export { WEBHOOK_EVENTS };

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
