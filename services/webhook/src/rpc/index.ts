import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { activateWebhook } from './activate-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';
import type { Parts, RpcContext } from './rpc-context.ts';
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

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, context: Context, parts: Parts): void {
  const shares = createPoolShares({ poolSize: context.config.poolSize, refusal: tooManyAtOnce });
  const ctx: RpcContext = { ...context, ...parts, shares };
  server.service(WebhookService, implement(WebhookService, ctx, HANDLERS));
}

const HANDLERS: Handlers<typeof WebhookService, RpcContext> = {
  createWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  activateWebhook,
  deactivateWebhook,
  deleteWebhook,
  rotateSecret,
  sendTestEvent,
  listDeliveries,
  getDelivery,
  replayDelivery,
  replayDeliveries,
};
