import Type from 'typebox';
import { CHANGE_EXAMPLES } from '../../examples/changes.ts';
import { INVALID_REQUEST } from '../../examples/error.ts';
import { LEAN_MESSAGE, LEAN_SENT } from '../../examples/lean.ts';
import { ALL_DELIVERED, ALL_READ, HELLO, TYPING, TYPING_INPUT } from '../../examples/packets.ts';
import { packetOf } from '../../examples/socket.ts';
import { ErrorRecord } from '../../records/error.ts';
import { AllDelivered } from '../../socket/all-delivered.ts';
import { AllRead } from '../../socket/all-read.ts';
import { CHANGES, type ChangeName } from '../../socket/changes/index.ts';
import { Hello } from '../../socket/hello.ts';
import { LeanMessageCreated, LeanSentMessage } from '../../socket/lean.ts';
import { clientPacket, RequestId, serverPacket } from '../../socket/packet.ts';
import { RefusalPacket } from '../../socket/requests/packets.ts';
import { TypingSignal, TypingSignalInput } from '../../socket/signals.ts';
import type { Operation } from '../channel.ts';
import type { Message } from '../message.ts';

const EXTENDED = ['svc-3.1', 'svc-4.0'];
const LEAN = ['svc-4.0'];

const CHANGE_TITLES: Readonly<Record<ChangeName, string>> = {
  ConversationCreated: 'create Conversation',
  ConversationUpdated: 'update Conversation',
  ConversationDeleted: 'delete Conversation',
  MessageCreated: 'create Message',
  MessageUpdated: 'update Message',
  MessageDeleted: 'delete Message',
  MessagePartUpdated: 'update MessagePart',
  AnnouncementCreated: 'create Announcement',
  AnnouncementUpdated: 'update Announcement',
  AnnouncementDeleted: 'delete Announcement',
  IdentityCreated: 'create Identity',
  IdentityUpdated: 'update Identity',
  IdentityDeleted: 'delete Identity',
};

const CHANGE_MESSAGES = (Object.keys(CHANGES) as ChangeName[]).map(changeMessage);

function changeMessage(name: ChangeName): Message {
  const body = CHANGES[name];
  return {
    name,
    title: CHANGE_TITLES[name],
    summary: 'description' in body ? String(body.description) : '',
    payload: serverPacket('change', body),
    examples: Object.entries(CHANGE_EXAMPLES[name]).map(([what, example]) => ({
      name: what,
      payload: packetOf('change', example),
    })),
  };
}

const ALL_READ_MESSAGE: Message = {
  name: 'AllRead',
  title: 'Conversation.mark_all_read: operation',
  summary: 'A participant marked a conversation as read.',
  payload: serverPacket('operation', AllRead),
  examples: [{ name: 'All read', payload: packetOf('operation', ALL_READ) }],
};

const ALL_DELIVERED_MESSAGE: Message = {
  name: 'AllDelivered',
  title: 'Conversation.mark_all_delivered: operation',
  summary: 'Messages of a conversation were delivered to a participant.',
  payload: serverPacket('operation', AllDelivered),
  examples: [{ name: 'All delivered', payload: packetOf('operation', ALL_DELIVERED) }],
  tags: EXTENDED,
};

const TYPING_MESSAGE: Message = {
  name: 'Typing',
  title: 'typing_indicator: signal of the platform',
  summary: 'Another participant types.',
  payload: serverPacket('signal', TypingSignal),
  examples: [{ name: 'Typing', payload: packetOf('signal', TYPING) }],
};

const TYPING_INPUT_MESSAGE: Message = {
  name: 'TypingInput',
  title: 'typing_indicator: signal of a client',
  summary: 'The user types.',
  payload: clientPacket('signal', TypingSignalInput),
  examples: [{ name: 'Typing', payload: { type: 'signal', body: TYPING_INPUT } }],
};

const HELLO_MESSAGE: Message = {
  name: 'Hello',
  title: 'hello',
  summary: 'The first packet of a socket.',
  payload: serverPacket('hello', Hello),
  examples: [{ name: 'Hello', payload: packetOf('hello', HELLO, 0) }],
  tags: EXTENDED,
};

const ERROR_MESSAGE: Message = {
  name: 'Dropped',
  title: 'error',
  summary: 'Something that the client sent was dropped.',
  payload: serverPacket('error', ErrorRecord),
  examples: [{ name: 'Dropped', payload: packetOf('error', INVALID_REQUEST) }],
  tags: EXTENDED,
};

const LEAN_MESSAGES: readonly Message[] = [
  {
    name: 'LeanMessageCreated',
    title: 'create Message, lean',
    summary: 'A message, in the form of a lean packet.',
    payload: serverPacket('change', LeanMessageCreated),
    examples: [{ name: 'Message sent', payload: packetOf('change', LEAN_MESSAGE) }],
    tags: LEAN,
  },
  {
    name: 'LeanMessageSent',
    title: 'Message.create: lean response',
    summary: 'The message is stored.',
    payload: serverPacket(
      'response',
      Type.Object({
        request_id: RequestId,
        method: Type.Literal('Message.create'),
        success: Type.Literal(true),
        data: LeanSentMessage,
      }),
    ),
    isCorrelated: true,
    examples: [
      {
        name: 'Response',
        payload: packetOf('response', {
          request_id: '1',
          method: 'Message.create',
          success: true,
          data: LEAN_SENT,
        }),
      },
    ],
    tags: LEAN,
  },
];

const REFUSAL_MESSAGE: Message = {
  name: 'Refusal',
  title: 'response to an unknown request',
  summary: 'A request of an unknown method, or an invalid packet, was refused.',
  payload: RefusalPacket,
  examples: [
    {
      name: 'Invalid packet',
      payload: packetOf('response', {
        request_id: null,
        method: null,
        success: false,
        data: INVALID_REQUEST,
      }),
    },
  ],
};

/** Packets that are neither requests nor responses. */
export const PACKET_OPERATIONS: readonly Operation[] = [
  {
    id: 'greet',
    action: 'send',
    title: 'Greet',
    summary: 'Tell the client whose socket this is, the server time and the limits.',
    description: 'Only with the subprotocols `svc-3.1` and `svc-4.0`.',
    messages: [HELLO_MESSAGE],
  },
  {
    id: 'sendLeanPackets',
    action: 'send',
    title: 'Send lean packets',
    summary: 'Tell the client the same in a third of the bytes.',
    description:
      'Only with the subprotocol `svc-4.0`. Changes, operations, signals and the data of responses have bare ids instead of URIs and references, and neither addresses of the platform nor nulls. A new message brings the unread count, and comes to all sockets but the one that sent it. What is described here are the two packets that say something else than their other form.',
    messages: LEAN_MESSAGES,
  },
  {
    id: 'sendChanges',
    action: 'send',
    title: 'Send changes',
    summary: 'Tell the client what has changed of the objects that its user sees.',
    description:
      'A change is sent once it is stored, to all sockets of all users concerned, also to those of the user who made it. Packets of one conversation come in the order of its changes. A new message is `create Message` and then `update Conversation` with the newest message and the unread count. A change of an object that the client does not hold is to be ignored.',
    messages: CHANGE_MESSAGES,
  },
  {
    id: 'sendOperations',
    action: 'send',
    title: 'Send operations',
    summary:
      'Tell the other participants, and the user’s other sockets, that everything was read or delivered.',
    description:
      'It stands for a change of `recipient_status` of each message up to `position`. A sender some of whose messages keep their status gets those changes instead, and a socket of the first subprotocol those of a delivery.',
    messages: [ALL_READ_MESSAGE, ALL_DELIVERED_MESSAGE],
  },
  {
    id: 'receiveTyping',
    action: 'receive',
    title: 'Receive typing signals',
    summary: 'Show the other participants that the user types.',
    description:
      'Has no answer. 10 seconds after the last `started` or `paused` the gateway sends `finished`, and also when the socket closes. Signals of other types, of conversations that do not exist, and beyond the rate limit are dropped.',
    messages: [TYPING_INPUT_MESSAGE],
  },
  {
    id: 'sendTyping',
    action: 'send',
    title: 'Send typing signals',
    summary: 'Tell the client that another participant types.',
    description: 'Neither stored nor replayed.',
    messages: [TYPING_MESSAGE],
  },
  {
    id: 'refuseRequest',
    action: 'send',
    title: 'Refuse a request',
    summary: 'Answer a request of an unknown method, and an invalid packet.',
    description:
      'A packet is invalid without an object as `body`, with a `request_id` that is neither a short text nor a whole number, beyond 64 levels of JSON, or with a typing signal of the wrong form; it counts as a request in the rate limit. With the subprotocols `svc-3.1` and `svc-4.0` an invalid packet is answered by `error` instead.',
    messages: [REFUSAL_MESSAGE],
  },
  {
    id: 'reportDropped',
    action: 'send',
    title: 'Report what was dropped',
    summary: 'Tell the client why a signal or a packet of its own was dropped.',
    description:
      'Only with the subprotocols `svc-3.1` and `svc-4.0`, and at most 5 a second for each session. Before the gateway closes a socket because of a packet, it sends the error too.',
    messages: [ERROR_MESSAGE],
  },
];
