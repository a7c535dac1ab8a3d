import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { GetReceiptsRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { listReceipts } from '../read-state/receipts.ts';

export async function getReceipts({ db }: Context, { appId, conversationId, positions }: GetReceiptsRequest) {
  if (!isUuid(conversationId) || !positions) return failNotFound('conversation', conversationId);
  const { first, last } = positions;
  const [receipts] = await listReceipts(db, [{ appId, conversationId, first, last }]);
  return receipts ? { receipts } : {};
}
