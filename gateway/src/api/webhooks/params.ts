import { isUuid } from '@parley/domain/ids';
import { webhookUri } from '@parley/domain/json/webhook';
import { failNotFound } from '@parley/domain/problems';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';

/** The webhook in the path, by its bare uuid or its URI. Problems: not_found. */
export function webhookKeyOf(
  { wire }: Uses<'wire'>,
  { appId, params }: ApiRequest,
): { appId: string; id: string } {
  const given = params['webhook_id'] ?? '';
  const prefix = webhookUri(wire, appId, '');
  const id = given.startsWith(prefix) ? given.slice(prefix.length) : given;
  return isUuid(id) ? { appId, id: id.toLowerCase() } : failNotFound('webhook', given);
}

/** The delivery in the path. Problems: not_found. */
export function deliveryKeyOf(
  ctx: Uses<'wire'>,
  request: ApiRequest,
): { appId: string; webhookId: string; id: string } {
  const { appId, id: webhookId } = webhookKeyOf(ctx, request);
  const id = request.params['delivery_id'] ?? '';
  return isUuid(id) ? { appId, webhookId, id: id.toLowerCase() } : failNotFound('delivery', id);
}
