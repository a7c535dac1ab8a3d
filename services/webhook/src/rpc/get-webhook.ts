import { failNotFound } from '@parley/domain/problems';
import type { GetWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import { findWebhook } from '../sql/webhook.ts';
import { keyOf } from '../webhook/key.ts';

/** Problems: not_found. */
export async function getWebhook({ db }: Context, req: GetWebhookRequest) {
  return { webhook: (await findWebhook(db, keyOf(req))) ?? failNotFound('webhook', req.id) };
}
