import type { DeliveryStatus, Webhook } from '@parley/contract/gen/records';
import { Tag } from '../../ui/tag.tsx';

const WEBHOOK_TONES = { active: 'good', unverified: 'waiting', inactive: 'bad' } as const;
const DELIVERY_TONES = { pending: 'waiting', delivered: 'good', dead: 'bad' } as const;

export function WebhookState({ status }: { status: Webhook['status'] }) {
  return <Tag tone={WEBHOOK_TONES[status]}>{status}</Tag>;
}

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  return <Tag tone={DELIVERY_TONES[status]}>{status}</Tag>;
}
