import { parseReceiptType } from '@parley/domain/parse/receipt';
import { messageIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function recordReceipt(
  ctx: Uses<'receiptRecorder' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId } = request;
  const messageId = messageIdOf(ctx, request);
  const type = parseReceiptType(request.body);
  await ctx.receiptRecorder.record({ appId, userId, messageId, type });
  return { status: 204 };
}
