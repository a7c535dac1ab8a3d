import { invalid } from '@parley/domain/parse/fields';
import type { ServerMessageInput } from '@parley/domain/parse/message';
import { parseMessageBatch } from '@parley/domain/parse/message-batch';
import { derivedId } from '@parley/domain/derived-id';
import { problemOf, type ProblemId } from '@parley/domain/problems';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import { currentContext } from '@parley/kit/runtime/request-context';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import type { ApiContext, Uses } from '../context.ts';
import { conversationIdOf } from '../request/params.ts';
import { partRulesOf } from '../request/part-rules.ts';
import { toDraft } from './draft.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';

/**
 * Sends up to 12 messages. All are validated before the first is sent; after that they are independent: a message whose id is in use, or
 * whose sender has left meanwhile, does not stop the rest. docs/protocol/messages.md#batches
 */
export async function sendBatch(
  ctx: Uses<'auth' | 'identity' | 'log' | 'messageSender' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId } = request;
  const conversationId = conversationIdOf(ctx, request);
  const inputs = parseMessageBatch(partRulesOf(ctx, request), request.body);
  await checkSenders(ctx, { appId, conversationId }, inputs);
  const drafts = await Promise.all(
    inputs.map((input, index) =>
      prepare(ctx, { ...toDraft(input), appId, conversationId, byServer: true }, index),
    ),
  );
  const outcomes = await Promise.allSettled(drafts.map((draft) => ctx.messageSender.store(draft)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') reportFailure(ctx, outcome.reason);
  return { status: 202 };
}

/** Gives each message an id that repeats in a repeated attempt. Problems: invalid_property (`<n>.parts…`). */
async function prepare(
  { messageSender }: Uses<'messageSender'>,
  draft: Parameters<ApiContext['messageSender']['prepare']>[0],
  index: number,
): Promise<MessageDraft> {
  const operationId = currentContext()?.operationId;
  const requestId = operationId && derivedId(operationId, String(index));
  try {
    return await messageSender.prepare({
      ...draft,
      ...(requestId && { requestId, id: draft.id || requestId }),
    });
  } catch (error) {
    const property = problemOf(error)?.data?.['property'];
    if (typeof property !== 'string') throw error;
    return invalid(`${index}.${property}`, 'is not valid.');
  }
}

/** Logs a refused message; throws if a service is unavailable, which fails the whole request, so that it may be repeated. */
function reportFailure({ log }: Uses<'log'>, error: unknown): void {
  const known = problemOf(error);
  if (!known || RETRYABLE.has(known.id)) throw error;
  log.info({ problem: known.id }, 'a message of a batch was refused; sending the rest');
}

const RETRYABLE: ReadonlySet<string> = new Set<ProblemId>(['service_unavailable', 'internal_server_error']);

type ConversationKey = { appId: string; conversationId: string };

/** A sender is a participant or a bot. Problems: not_found, object_deleted, invalid_property (`<n>.sender_id`). */
async function checkSenders(
  { messaging, identity }: Uses<'identity' | 'messaging'>,
  { appId, conversationId }: ConversationKey,
  inputs: readonly ServerMessageInput[],
): Promise<void> {
  const { conversation } = await messaging.getConversation({ appId, id: conversationId });
  const allowed = new Set(conversation?.participants.map(({ userId }) => userId));
  const nonParticipants = [...new Set(inputs.map(({ senderId }) => senderId))].filter(
    (senderId) => !allowed.has(senderId),
  );
  if (nonParticipants.length === 0) return;
  const identities = await callInHalves(nonParticipants, async (userIds) => {
    return (await identity.findIdentities({ appId, userIds })).identities;
  });
  for (const { userId, type, deleted } of identities)
    if (type === IdentityType.BOT && !deleted) allowed.add(userId);
  const wrong = inputs.findIndex(({ senderId }) => !allowed.has(senderId));
  if (wrong >= 0) invalid(`${wrong}.sender_id`, 'is neither a participant nor a bot.');
}
