import { fail } from '@parley/domain/problems';
import type { DeactivateWebhookRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import * as webhooks from '../sql/webhook.ts';
import { keyOf } from './input.ts';

/** From any state. What it is owed until then waits until it is active again. */
export async function deactivateWebhook({ db }: Context, req: DeactivateWebhookRequest) {
  const webhook = await webhooks.deactivateWebhook(db, keyOf(req), 'deactivated by request');
  return { webhook: webhook ?? fail('not_found') };
}
