import { runInContext } from '@parley/kit/runtime/request-context';
import { withSpan } from '@parley/kit/runtime/telemetry/tracing';
import type { SocketMethodName } from '@parley/contract/socket/requests/index';
import type { RealtimeContext } from '../../context.ts';
import type { Live } from '../../live/index.ts';
import { countRequest } from '../../../admission/count-request.ts';
import { constantError, errorForm, type ErrorForm } from '@parley/http/errors/error-form';
import { requestIdOf } from '@parley/domain/http/request-id';
import { leanJson } from '@parley/domain/json/lean';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  deleteRestriction,
  putRestriction,
  reactByData,
  unreactByData,
  updateConversation,
  updateMessage,
} from '../../../api/operations.ts';
import type { Weigh } from '../../../admission/limits/index.ts';
import type { Connection } from '../../connection/connection.ts';
import { FrameBody, frameBody } from '../../connection/frame.ts';
import type { RequestBody } from '../../connection/packet.ts';
import { endRequestSpan, openRequestSpan } from './span.ts';
import { RenderedData } from './rendered-data.ts';
import { createMessage } from './create-message.ts';
import { createReceipt } from './create-receipt.ts';
import { markAllDelivered, markAllRead } from './mark-up-to.ts';
import { subscribePresence, updatePresence } from './presence.ts';
import { asRest } from './rest.ts';
import { readCounter } from './read-counter.ts';
import { replayEvents } from './replay-events.ts';
import { syncPresence } from './sync-presence.ts';
import type { RequestHandler } from './request.ts';

/** The methods of socket requests. docs/protocol/websocket.md#requests */
const METHODS: Readonly<Record<SocketMethodName, RequestHandler>> = {
  'Message.create': createMessage,
  'Message.delete': asRest(deleteMessage, { object: 'message_id', query: ['mode'] }),
  'Message.update': asRest(updateMessage, { object: 'message_id', kind: 'patch' }),
  'Reaction.create': asRest(reactByData, { object: 'message_id' }),
  'Reaction.delete': asRest(unreactByData, { object: 'message_id' }),
  'Receipt.create': createReceipt,
  'Conversation.create': asRest(createConversation),
  'Conversation.update': asRest(updateConversation, { object: 'conversation_id', kind: 'patch' }),
  'Conversation.delete': asRest(deleteConversation, { object: 'conversation_id', query: ['mode', 'leave'] }),
  'Conversation.mark_all_read': markAllRead,
  'Conversation.mark_all_delivered': markAllDelivered,
  'Restriction.create': asRest(putRestriction, { object: 'conversation_id', user: true }),
  'Restriction.delete': asRest(deleteRestriction, { object: 'conversation_id', user: true }),
  'Presence.subscribe': subscribePresence,
  'Presence.update': updatePresence,
  'Presence.sync': syncPresence,
  'Counter.read': readCounter,
  'Event.replay': replayEvents,
};

/** The methods as a map, which looks a packet's name up without making it a key of an object. */
const HANDLERS = new Map<string, RequestHandler>(Object.entries(METHODS));

const SESSION_ENDED = constantError('authentication_required');

const UNKNOWN_METHOD = constantError('invalid_request', {
  message: 'The method is not known.',
  property: 'method',
  accepted: Object.keys(METHODS),
});

function refuseMethod(): Promise<object> {
  return Promise.reject(UNKNOWN_METHOD);
}

function answer({ ctx, connection }: Place, request: RequestBody, data: object): void {
  const head = { request_id: request.requestId, method: request.method, success: true };
  if (!(data instanceof RenderedData)) {
    const shown = connection.isLean ? leanJson(ctx.wire, data) : data;
    return connection.write('response', frameBody({ ...head, data: shown }));
  }
  try {
    connection.write('response', new FrameBody(`${JSON.stringify(head).slice(0, -1)},"data":${data.json}}`));
  } finally {
    data.written?.();
  }
}

function answerFailed(connection: Connection, request: RequestBody, { json }: ErrorForm): void {
  const { requestId: request_id, method } = request;
  const head = JSON.stringify({ request_id, method, success: false });
  connection.write('response', new FrameBody(`${head.slice(0, -1)},"data":${json}}`));
}

type Place = {
  ctx: RealtimeContext;
  live: Live;
  connection: Connection;
  /** Called for a request beyond its session's rate. */
  refused: () => void;
};

/**
 * Runs a request in a request context with its id, and answers it. Resolves once it has been answered, and rejects only with an internal
 * error; returns undefined if the request exceeded its session's rate, and has been answered. Requests of one socket start in order of
 * arrival.
 */
export function handleRequest(place: Place, request: RequestBody): Promise<void> | undefined {
  const { ctx, live, connection, refused } = place;
  const handler = HANDLERS.get(request.method);
  const { objectId, data } = request;
  const began = performance.now();
  const givenId = request.requestId === null ? undefined : String(request.requestId);
  const contextId = requestIdOf(givenId);
  const span = openRequestSpan(handler ? request.method : 'unknown', contextId);
  function finished(status: number, error?: string): void {
    endRequestSpan(span, status, error);
    const { appId, userId } = connection.caller;
    countRequest(ctx.figures, { appId, userId, status });
    const method = handler ? request.method : 'unknown';
    const requestId = givenId ?? contextId;
    ctx.requestLog.answered(status, performance.now() - began, () => {
      return { method, route: '/websocket', appId, userId, error, requestId };
    });
  }
  function refuse(error: unknown): void {
    const form = errorForm(error, ctx.errorDocs);
    const { status, body } = form;
    const { method, requestId } = request;
    const { appId } = connection.caller;
    if (status >= 500) ctx.log.error({ error, method, requestId, appId }, 'socket request failed');
    answerFailed(connection, request, form);
    finished(status, body.id);
  }
  let weigh: Weigh;
  try {
    weigh = ctx.limits.session(connection.caller.sessionId);
  } catch (error) {
    refuse(error);
    refused();
    return undefined;
  }
  const run = () => (handler ?? refuseMethod)({ ctx, live, connection, objectId, data, weigh });
  const confirmed = ctx.auth.confirmSessions();
  const runConfirmed = async () => {
    await confirmed;
    // A session that ended meanwhile has closed its socket, so no answer is sent.
    return connection.isOpen ? run() : Promise.reject(SESSION_ENDED);
  };
  return runInContext({ requestId: contextId }, () => withSpan(span, confirmed ? runConfirmed : run)).then(
    (result) => {
      answer(place, request, result);
      finished(200);
    },
    refuse,
  );
}
