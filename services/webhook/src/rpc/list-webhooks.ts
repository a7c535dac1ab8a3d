import type { ListWebhooksRequest } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import type { Context } from '../context.ts';
import * as webhooks from '../sql/webhook.ts';

/** All webhooks of an application, oldest first. */
export async function listWebhooks({ db }: Context, { appId }: ListWebhooksRequest) {
  return { webhooks: await webhooks.listWebhooks(db, appId) };
}
