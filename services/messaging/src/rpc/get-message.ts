import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { GetMessageRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { findMessageView } from '../message/view.ts';

export async function getMessage(ctx: Context, request: GetMessageRequest) {
  if (!isUuid(request.id)) return failNotFound('message', request.id);
  const view = await findMessageView(ctx, request);
  if (view.kind === 'visible') return { message: view.message, receipts: view.receipts };
  return view.kind === 'deleted' ? fail('object_deleted') : failNotFound('message', request.id);
}
