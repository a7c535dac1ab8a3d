import { partJson } from '@parley/domain/json/part';
import { fail } from '@parley/domain/problems';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { GatewayContext } from '../../context.ts';
import type { ApiRequest, Handler } from '../route.ts';
import { messageRefOf, partIdOf } from '../params.ts';

export const listParts: Handler = async (ctx, request) => {
  const message = await readMessage(ctx, request);
  return { status: 200, body: message.parts.map((part) => partJson(request.view, message, part)) };
};

export const getPart: Handler = async (ctx, request) => {
  const message = await readMessage(ctx, request);
  const partId = partIdOf(ctx, request);
  const part = message.parts.find(({ id }) => id === partId) ?? fail('not_found');
  return { status: 200, body: partJson(request.view, message, part) };
};

async function readMessage(ctx: GatewayContext, request: ApiRequest): Promise<Message> {
  const { appId, userId } = request;
  const { messageId: id, conversationId } = messageRefOf(ctx, request);
  const { message } = await ctx.messaging.getMessage({ appId, userId, id, conversationId });
  return message ?? fail('not_found');
}
