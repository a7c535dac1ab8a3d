import { randomUUID } from 'node:crypto';
import { until } from '@parley/testing';
import { DeliveryStatus, WebhookStatus, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { sealSecrets } from '../../src/webhook/secrets.ts';
import type { Platform } from './platform.ts';

export type Registration = Record<string, unknown>;

export const SECRET = 'a secret between two';

export async function register(
  { webhooks }: Platform,
  appId: string,
  changes: Registration,
): Promise<Webhook> {
  const properties = { version: '3.0', events: ['Message.created'], secret: SECRET, ...changes };
  return (await webhooks.createWebhook({ appId, properties: properties as never })).webhook!;
}

/** Resolves when the webhook has the status. */
export function untilStatus(
  platform: Platform,
  { appId, id }: Webhook,
  status: WebhookStatus,
): Promise<Webhook> {
  return until(
    async () => {
      const { webhook } = await platform.webhooks.getWebhook({ appId, id });
      return webhook?.status === status ? webhook : undefined;
    },
    { withinMs: 12_000, what: `the webhook is ${WebhookStatus[status]}` },
  );
}

export async function registerActive(
  platform: Platform,
  appId: string,
  changes: Registration,
): Promise<Webhook> {
  return untilStatus(platform, await register(platform, appId, changes), WebhookStatus.ACTIVE);
}

/** Resolves when the only delivery of the webhook has the status, with its attempts. */
export async function untilDelivery(
  { webhooks }: Platform,
  { appId, id: webhookId }: Webhook,
  { status, attempts = 1 }: { status: DeliveryStatus; attempts?: number },
) {
  return until(
    async () => {
      const [found] = (await webhooks.listDeliveries({ appId, webhookId })).deliveries;
      if (found?.status !== status || found.attemptCount !== attempts) return undefined;
      return (await webhooks.getDelivery({ appId, webhookId, id: found.id })).delivery!;
    },
    { withinMs: 10_000, what: `a delivery is ${DeliveryStatus[status]} after ${attempts} attempts` },
  );
}

/** Resolves when a webhook's deliveries have had `count` attempts in all. */
export function untilAttempts(
  { webhooks }: Platform,
  { appId, id: webhookId }: Webhook,
  count: number,
): Promise<true> {
  return until(
    async () => {
      const { deliveries } = await webhooks.listDeliveries({ appId, webhookId });
      const made = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
      return made === count ? true : undefined;
    },
    { withinMs: 10_000, what: `${count} attempts are made` },
  );
}

/** Stores more webhooks of an application, copies of one that it has. */
export async function copyWebhook(
  { ctx }: Platform,
  appId: string,
  id: string,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const secrets = ids.map((own) => sealSecrets(ctx.sealer, own, { current: SECRET, previous: [] }));
  const columns = 'version, target_url, events, config, status, created_at, accepts_from';
  await ctx.db.execute({
    text: `
      insert into webhook (app_id, id, secrets, verification_id, verify_at, ${columns})
      select app_id, copy.id, copy.secrets, case when status = 1 then gen_random_uuid() end,
        case when status = 1 then created_at end, ${columns}
      from webhook, unnest($3::uuid[], $4::bytea[]) as copy (id, secrets)
      where app_id = $1 and webhook.id = $2`,
    values: [appId, id, ids, secrets],
  });
}
