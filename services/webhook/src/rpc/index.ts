import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { Verifier } from '../verifier.ts';
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
import { updateWebhook } from './update-webhook.ts';

export type Parts = { verifier: Verifier; deliveries: Deliveries };

/** The whole API of this service. */
export function mountRpc(server: RpcServer, ctx: Context, parts: Parts): void {
  server.service(WebhookService, webhookService(ctx, parts));
}

function webhookService(ctx: Context, { verifier, deliveries }: Parts): ServiceImpl<typeof WebhookService> {
  return {
    createWebhook: (req) => createWebhook(ctx, verifier, req),
    getWebhook: (req) => getWebhook(ctx, req),
    listWebhooks: (req) => listWebhooks(ctx, req),
    updateWebhook: (req) => updateWebhook(ctx, verifier, req),
    activateWebhook: (req) => activateWebhook(ctx, verifier, req),
    deactivateWebhook: (req) => deactivateWebhook(ctx, req),
    deleteWebhook: (req) => deleteWebhook(ctx, req),
    rotateSecret: (req) => rotateSecret(ctx, req),
    listDeliveries: (req) => listDeliveries(ctx, req),
    getDelivery: (req) => getDelivery(ctx, req),
    replayDelivery: (req) => replayDelivery(ctx, deliveries, req),
    replayDeliveries: (req) => replayDeliveries(ctx, deliveries, req),
  };
}
