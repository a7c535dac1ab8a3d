/** Events that a webhook may subscribe to. SPEC completions 7 */
export const WEBHOOK_EVENTS = [
  'Message.created',
  'Message.updated',
  'Message.deleted',
  'MessagePart.created',
  'MessagePart.updated',
  'MessagePart.deleted',
  'Receipt.created',
  'Conversation.created',
  'Conversation.updated',
  'Conversation.deleted',
  'Participation.created',
  'Participation.deleted',
  'Identity.created',
  'Identity.updated',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export function isWebhookEvent(name: unknown): name is WebhookEvent {
  return (WEBHOOK_EVENTS as readonly unknown[]).includes(name);
}
