import { withoutStack } from '@parley/codec/without-stack';
import { limits } from '@parley/contract/limits';
import { parseUri } from '@parley/domain/ids';
import { isFields, type Fields } from '@parley/domain/parse/fields';
import { requireJsonDepth } from '@parley/domain/parse/json';
import { findJsonFault } from '@parley/domain/parse/json-fault';
import { nameList } from '@parley/domain/parse/name-list';
import { placeIn } from '@parley/domain/parse/text-place';
import { fail } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import { Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { CLOSE_CODES } from './connection.ts';

/** A packet of a client. A signal of an unknown type has no `typing`. docs/protocol/websocket.md#packets-of-the-client */
export type ClientPacket =
  { type: 'request'; request: RequestBody } | { type: 'signal'; typing: TypingSignal | undefined };

export type RequestBody = { requestId: RequestId; method: string; objectId: unknown; data: unknown };

/** Null: the request has none. */
export type RequestId = string | number | null;

/** `conversationId` is a bare uuid. */
export type TypingSignal = { conversationId: string; action: Typing_Action };

const ACTIONS: Readonly<Record<string, Typing_Action>> = {
  started: Typing_Action.STARTED,
  paused: Typing_Action.PAUSED,
  finished: Typing_Action.FINISHED,
};

/** A packet that ends its socket. */
export class PacketError extends Error {
  readonly closeCode: number;
  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/**
 * Parses a packet. Throws PacketError, with the code to close the socket with, unless the text is a packet of a known type;
 * fails with invalid_request when the packet's envelope is invalid.
 */
export function parsePacket(wire: Wire, text: string): ClientPacket {
  requireJsonDepth(text);
  const packet = parseText(text);
  if (!isFields(packet)) return endWith(CLOSE_CODES.unsupportedPacket, 'not a packet');
  const { type, body } = packet;
  if (type !== 'request' && type !== 'signal')
    return endWith(CLOSE_CODES.unsupportedPacket, 'unknown packet type');
  if (!isFields(body)) return refuse('body must be an object.');
  return type === 'request' ? { type, request: readRequest(body) } : { type, typing: readSignal(wire, body) };
}

function endWith(closeCode: number, message: string): never {
  throw withoutStack(() => new PacketError(closeCode, message));
}

function parseText(text: string): unknown {
  try {
    return withoutStack(() => JSON.parse(text) as unknown);
  } catch {
    const { line, column } = placeIn(text, findJsonFault(text));
    return endWith(CLOSE_CODES.notJson, `not JSON at line ${line}, column ${column}`);
  }
}

/** `rule` begins with the property that breaks it. */
function refuse(rule: string, accepted?: readonly string[]): never {
  const message = `The packet is invalid: ${rule}`;
  return fail('invalid_request', accepted ? { message, property: 'data.action', accepted } : { message });
}

/** A method that is not a short string becomes an empty one, which the request handler refuses as unknown. */
function readRequest(body: Fields): RequestBody {
  const { method, object_id: objectId, data } = body;
  const isName = typeof method === 'string' && method.length <= limits.socketName;
  return { requestId: readRequestId(body['request_id']), method: isName ? method : '', objectId, data };
}

function readRequestId(given: unknown): RequestId {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && given.length <= limits.socketName) return given;
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  return refuse(`request_id must be a string of at most ${limits.socketName} characters or a whole number.`);
}

function readSignal(wire: Wire, { type, object, data }: Fields): TypingSignal | undefined {
  if (typeof type !== 'string') return refuse('type of a signal must be a string.');
  if (type !== 'typing_indicator') return undefined;
  const id = isFields(object) ? object['id'] : object;
  const conversationId = typeof id === 'string' ? parseUri(wire, 'conversations', id) : undefined;
  if (conversationId === undefined) return refuse('object.id must be the id of a conversation.');
  const action = isFields(data) ? data['action'] : undefined;
  const known = typeof action === 'string' && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return known === undefined
    ? refuse(`data.action must be ${nameList(Object.keys(ACTIONS))}.`, Object.keys(ACTIONS))
    : { conversationId, action: known };
}
