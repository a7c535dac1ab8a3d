import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import { findWebhook, type WebhookKey } from '../sql/webhook.ts';

/** The key of a webhook. Problems: not_found when an id is not a uuid. */
export function keyOf({ appId, id }: { appId: string; id: string }): WebhookKey {
  return isUuid(appId) && isUuid(id) ? { appId, id } : failNotFound('webhook', id);
}

/** The key of an existing webhook. Problems: not_found. */
export async function getWebhookKey(
  sql: Sql,
  { appId, webhookId }: { appId: string; webhookId: string },
): Promise<WebhookKey> {
  const key = keyOf({ appId, id: webhookId });
  return (await findWebhook(sql, key)) ? key : failNotFound('webhook', webhookId);
}
