import { parseReceiptType } from '@parley/domain/parse/receipt';
import type { Handler, Route } from '../route.ts';
import { messageIdOf } from '../params.ts';

export const recordReceipt: Handler = async (ctx, request) => {
  const { appId, userId } = request;
  const messageId = messageIdOf(ctx, request);
  const type = parseReceiptType(request.body);
  await ctx.receiptRecorder.record({ appId, userId, messageId, type });
  return { status: 204 };
};

export const receipts: Route[] = [
  {
    method: 'POST',
    path: '/messages/:message_id/receipts',
    auth: 'session',
    emptyNotFound: true,
    summary: 'Send a message receipt',
    handle: recordReceipt,
  },
];
