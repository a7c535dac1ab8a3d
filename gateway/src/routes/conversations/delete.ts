import { parseMode, parseQueryFlag } from '@parley/domain/parse/mode';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Handler } from '../../http/route.ts';
import { conversationIdOf } from '../params.ts';

export const deleteConversation: Handler = async (ctx, request) => {
  const { appId, userId, query } = request;
  const id = conversationIdOf(ctx, request);
  const mode = parseMode(query);
  const leave = parseQueryFlag(query, 'leave');
  await ctx.messaging.deleteConversation({ appId, userId, id, mode, leave });
  return { status: 204 };
};

/** A server has no devices: it deletes for everybody. */
export const deleteForAll: Handler = async (ctx, request) => {
  const id = conversationIdOf(ctx, request);
  await ctx.messaging.deleteConversation({ appId: request.appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
  return { status: 204 };
};
