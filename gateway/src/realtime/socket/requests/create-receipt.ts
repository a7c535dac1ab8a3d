import { parseUri } from '@parley/domain/ids';
import { parseReceiptType } from '@parley/domain/parse/receipt';
import { recordReceipt } from '../../../api/operations.ts';
import { asRest } from './rest.ts';
import type { SocketRequest } from './request.ts';

const record = asRest(recordReceipt, { object: 'message_id' });

/** `Receipt.create`: like REST, but the requesting socket gets no packet for it. docs/protocol/websocket.md#requests */
export async function createReceipt(request: SocketRequest): Promise<object> {
  const { ctx, connection, objectId, data } = request;
  const messageId = typeof objectId === 'string' ? parseUri(ctx.wire, 'messages', objectId) : undefined;
  if (!messageId) return record(request);
  const type = parseReceiptType(data);
  connection.ownRequests.addReceipt(messageId, type);
  try {
    return await record(request);
  } catch (error) {
    connection.ownRequests.takeReceipt(messageId, type);
    throw error;
  }
}
