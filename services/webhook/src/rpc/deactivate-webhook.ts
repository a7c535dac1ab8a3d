import { failNotFound } from '@parley/domain/problems';
import type { DeactivateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import * as webhooks from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';
import { changeOnce } from '../webhook/change-once.ts';

/** Deactivates a webhook in any state; its deliveries wait until it is active again. Problems: not_found. */
export async function deactivateWebhook(ctx: Context, req: DeactivateWebhookRequest) {
  const key = keyOf(req);
  const webhook = await changeOnce(
    ctx,
    'deactivate webhook',
    async (tx) =>
      (await webhooks.deactivateWebhook(tx, key, 'deactivated by request')) ??
      failNotFound('webhook', req.id),
  );
  return { webhook };
}
