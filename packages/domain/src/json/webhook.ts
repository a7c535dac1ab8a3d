import type { Webhook as WebhookJson } from '@parley/contract/records/webhook';
import { WebhookStatus, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { WebhookEvent } from '../events/webhook-events.ts';
import type { Wire } from '../wire.ts';
import { isoTime } from './time.ts';
import { viewRoot, type View } from './view.ts';

/** Never includes the secret. docs/protocol/records.md#webhook */
export function webhookJson(view: View, webhook: Webhook): WebhookJson {
  return {
    id: webhookUri(view.wire, webhook.appId, webhook.id),
    url: webhookUrl(view, webhook.id),
    version: webhook.version,
    target_url: webhook.targetUrl,
    // Checked when the webhook was registered.
    events: webhook.events as WebhookEvent[],
    status: statusName(webhook.status),
    status_reason: webhook.statusReason ?? null,
    config: webhook.config ?? null,
    created_at: isoTime(webhook.createdAt),
  };
}

export function webhookUri(wire: Wire, appId: string, id: string): string {
  return wire.uri('apps', `${appId}/webhooks/${id}`);
}

export function webhookUrl(view: View, id: string): string {
  return `${viewRoot(view)}/webhooks/${id}`;
}

function statusName(status: WebhookStatus): WebhookJson['status'] {
  if (status === WebhookStatus.ACTIVE) return 'active';
  return status === WebhookStatus.UNVERIFIED ? 'unverified' : 'inactive';
}
