import { failNotFound } from '@parley/domain/problems';
import type { DeleteWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import * as webhooks from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';

/** Deletes a webhook. Its deliveries end at once; a timer deletes them. Problems: not_found. */
export async function deleteWebhook({ db, clock }: Context, req: DeleteWebhookRequest) {
  if (!(await webhooks.deleteWebhook(db, keyOf(req), clock.now()))) return failNotFound('webhook', req.id);
  return {};
}
