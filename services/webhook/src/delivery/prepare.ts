import { fromBinary } from '@parley/codec';
import { webhookBodyJson, type Notice } from '@parley/domain/json/webhook-body';
import type { View } from '@parley/domain/json/view';
import { webhookUri } from '@parley/domain/json/webhook';
import type { RecipientStatuses } from '@parley/domain/receipts';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { openSecrets, signingSecrets } from '../webhook/secrets.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { statusesOfTestEvent } from '../notices/test-event.ts';
import type { Recipients } from './recipient-statuses.ts';
import { signatureHeaders } from './signatures.ts';

/** The request of a delivery. */
export type Prepared = { url: URL; headers: Record<string, string>; body: string };

/** Parts of a body: the notice, and the config of its webhook. */
export type StoredNotice = Pick<ClaimedDelivery, 'app_id' | 'type' | 'event' | 'config'>;

/** First stage: renders the body in the server's view, and signs it. */
export async function prepare(
  ctx: Context,
  recipients: Recipients,
  delivery: ClaimedDelivery,
): Promise<Prepared> {
  const { wire, clock, sealer } = ctx;
  const { id, type, webhook_id: webhookId, app_id: appId } = delivery;
  const body = await renderBody(ctx, recipients, delivery);
  const now = clock.now();
  const secrets = signingSecrets(openSecrets(sealer, webhookId, delivery.secrets), now);
  return {
    url: new URL(delivery.target_url),
    body,
    headers: {
      'content-type': `${wire.webhooksMediaType}; version=${wire.version}`,
      'user-agent': wire.webhooksUserAgent,
      [wire.webhookHeader('event-type')]: type,
      [wire.webhookHeader('id')]: webhookUri(wire, appId, webhookId),
      [wire.webhookHeader('request-id')]: id,
      ...signatureHeaders(wire, { id, timestamp: Math.floor(now / 1000), body, secrets }),
    },
  };
}

/** The body of an attempt that is made now, as JSON. Fails with a transient error when messaging cannot be asked. */
export async function renderBody(
  ctx: Context,
  recipients: Recipients,
  delivery: StoredNotice,
): Promise<string> {
  const { wire, config, clock, contents } = ctx;
  const notice = { type: delivery.type, event: fromBinary(EventSchema, delivery.event) };
  const view: View = {
    wire,
    baseUrl: config.publicUrl,
    audience: 'server',
    appId: delivery.app_id,
    downloads: (content) => contents.sign(content, clock.now()),
  };
  const statuses = await statusesOf(recipients, notice);
  return JSON.stringify(webhookBodyJson(view, notice, { statuses, config: delivery.config ?? undefined }));
}

async function statusesOf(
  recipients: Recipients,
  { type, event }: Notice,
): Promise<RecipientStatuses | undefined> {
  const { body } = event;
  if (event.isTest) return statusesOfTestEvent(event);
  if (body.case === 'messageCreated' && body.value.message) {
    return recipients.statusesAtSending(event, body.value.message);
  }
  const hasMessage =
    body.case === 'messageDeleted' ||
    body.case === 'messageUpdated' ||
    (body.case === 'messagePartsChanged' && type === 'Message.updated');
  return hasMessage && body.value.message ? recipients.statusesNow(body.value.message) : undefined;
}
