import { RATE_LIMIT_EXCEEDED } from '../../examples/error.ts';
import { packetOf } from '../../examples/socket.ts';
import { SOCKET_METHODS } from '../../socket/requests/index.ts';
import { failurePacket, requestPacket, responsePacket } from '../../socket/requests/packets.ts';
import type { SocketMethod } from '../../socket/requests/request.ts';
import type { Operation } from '../channel.ts';
import type { Message } from '../message.ts';

/** Each method of requests with its response. */
export const REQUEST_OPERATIONS: readonly Operation[] = Object.entries(SOCKET_METHODS).map(
  ([method, socketMethod]) => {
    const { id, summary, description } = socketMethod;
    return {
      id,
      action: 'receive',
      title: method,
      summary,
      description,
      messages: [requestMessage(method, socketMethod)],
      reply: [responseMessage(method, socketMethod), failureMessage(method, socketMethod)],
    };
  },
);

function requestMessage(method: string, socketMethod: SocketMethod): Message {
  const { summary, objectId, data } = socketMethod;
  const body = {
    request_id: '1',
    method,
    ...(objectId && { object_id: objectId.example }),
    ...(data && { data: data.example }),
  };
  return {
    name: `${nameOf(method)}Request`,
    title: `${method}: request`,
    summary: `${summary}.`,
    payload: requestPacket(method, socketMethod),
    isCorrelated: true,
    examples: [{ name: 'Request', payload: { type: 'request', body } }],
  };
}

function responseMessage(method: string, socketMethod: SocketMethod): Message {
  const body = { request_id: '1', method, success: true, data: socketMethod.result.example };
  return {
    name: `${nameOf(method)}Response`,
    title: `${method}: response`,
    summary: 'The request succeeded.',
    payload: responsePacket(method, socketMethod),
    isCorrelated: true,
    examples: [{ name: 'Response', payload: packetOf('response', body) }],
  };
}

function failureMessage(method: string, socketMethod: SocketMethod): Message {
  const body = { request_id: '1', method, success: false, data: RATE_LIMIT_EXCEEDED };
  return {
    name: `${nameOf(method)}Failure`,
    title: `${method}: failure`,
    summary: 'The request failed.',
    payload: failurePacket(method, socketMethod),
    isCorrelated: true,
    examples: [{ name: 'Failure', payload: packetOf('response', body) }],
  };
}

/** `Conversation.mark_all_read` becomes `ConversationMarkAllRead`. */
function nameOf(method: string): string {
  return method
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
