import { parseMode } from '@parley/domain/parse/mode';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Handler } from '../route.ts';
import { conversationIdOf, messageIdOf } from '../params.ts';

export const deleteMessage: Handler = async (ctx, request) => {
  const { appId, userId, query } = request;
  const id = messageIdOf(ctx, request);
  await ctx.messaging.deleteMessage({ appId, userId, id, mode: parseMode(query) });
  return { status: 204 };
};

export const deleteMessageForAll: Handler = async (ctx, request) => {
  const { appId } = request;
  const id = messageIdOf(ctx, request);
  const conversationId = conversationIdOf(ctx, request);
  await ctx.messaging.deleteMessage({ appId, id, conversationId, mode: DeletionMode.ALL_PARTICIPANTS });
  return { status: 204 };
};
