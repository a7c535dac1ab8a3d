import type { ServiceImpl } from '@connectrpc/connect';
import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/postgres/pool-shares';
import type { RpcServer } from '@parley/kit/rpc/server';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { Recipients } from '../delivery/recipient-statuses.ts';
import type { Verifier } from '../verification/verifier.ts';
import { activateWebhook } from './activate-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getDelivery } from './get-delivery.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { replayDeliveries } from './replay-deliveries.ts';
import { replayDelivery } from './replay-delivery.ts';
import { rotateSecret } from './rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { updateWebhook } from './update-webhook.ts';

export type Parts = { verifier: Verifier; deliveries: Deliveries; recipients: Recipients };

/** Mounts the RPCs of this service; each call takes its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context, parts: Parts): void {
  const shares = createPoolShares({ poolSize: ctx.config.poolSize, refusal: tooManyAtOnce });
  server.service(WebhookService, webhookService(ctx, { ...parts, shares }));
}

function webhookService(
  ctx: Context,
  { verifier, deliveries, recipients, shares }: Parts & { shares: PoolShares },
): ServiceImpl<typeof WebhookService> {
  return {
    createWebhook: (req) => shares.run(req.appId, () => createWebhook(ctx, verifier, req)),
    getWebhook: (req) => shares.run(req.appId, () => getWebhook(ctx, req)),
    listWebhooks: (req) => shares.run(req.appId, () => listWebhooks(ctx, req)),
    updateWebhook: (req) => shares.run(req.appId, () => updateWebhook(ctx, verifier, req)),
    activateWebhook: (req) => shares.run(req.appId, () => activateWebhook(ctx, verifier, req)),
    deactivateWebhook: (req) => shares.run(req.appId, () => deactivateWebhook(ctx, req)),
    deleteWebhook: (req) => shares.run(req.appId, () => deleteWebhook(ctx, req)),
    rotateSecret: (req) => shares.run(req.appId, () => rotateSecret(ctx, req)),
    sendTestEvent: (req) => shares.run(req.appId, () => sendTestEvent(ctx, deliveries, req)),
    // Its statements run in parallel, each on its own connection.
    listDeliveries: (req) => listDeliveries({ ...ctx, db: shareOf(ctx.db, shares, req.appId) }, req),
    getDelivery: (req) => shares.run(req.appId, () => getDelivery(ctx, recipients, req)),
    replayDelivery: (req) => shares.run(req.appId, () => replayDelivery(ctx, deliveries, req)),
    replayDeliveries: (req) => shares.runHeavy(req.appId, () => replayDeliveries(ctx, deliveries, req)),
  };
}
