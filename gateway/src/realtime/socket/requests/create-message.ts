import { newId } from '@parley/domain/ids';
import { isoTime } from '@parley/domain/json/time';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { readMessage, requireSent, sendMessage } from '../../../api/operations.ts';
import type { OwnMessages } from '../../connection/own-messages.ts';
import { asRest, toApiRequest } from './rest.ts';
import type { SocketRequest } from './request.ts';

const OBJECT = { object: 'conversation_id' } as const;
const send = asRest(sendMessage, OBJECT);

/**
 * `Message.create`: like REST; a lean socket gets in the response what it does not know of its message, and no packet of it.
 * docs/protocol/lean-packets.md#sending
 */
export function createMessage(request: SocketRequest): Promise<object> {
  const { ownMessages } = request.connection;
  return ownMessages ? sendLean(request, ownMessages) : send(request);
}

async function sendLean(request: SocketRequest, ownMessages: OwnMessages): Promise<object> {
  const { ctx } = request;
  const rest = toApiRequest(request, OBJECT);
  const draft = readMessage(ctx, rest);
  const id = draft.id ?? newId();
  ownMessages.begin(id);
  try {
    const { message } = requireSent(rest.view, await ctx.messageSender.send({ ...draft, id }));
    ownMessages.answered(id);
    return sentJson(message);
  } catch (error) {
    ownMessages.failed(id);
    throw error;
  }
}

function sentJson({ id, position, sentAt, parts }: Message) {
  return { id, position, sent_at: isoTime(sentAt), part_ids: parts.map((part) => part.id) };
}
