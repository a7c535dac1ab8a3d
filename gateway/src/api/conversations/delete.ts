import { parseMode, parseQueryFlag } from '@parley/domain/parse/mode';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { patchWeight } from '../../admission/limits/weights.ts';
import { conversationIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';

export async function deleteConversation(
  ctx: Uses<'limits' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, query } = request;
  const id = conversationIdOf(ctx, request);
  const mode = parseMode(query);
  const leave = parseQueryFlag(query, 'leave');
  const deletion = { appId, userId, id, mode, leave };
  // Deleting for the user's own devices does not read the other participants.
  if (mode === DeletionMode.MY_DEVICES && !leave) await ctx.messaging.deleteConversation(deletion);
  else await deleteWeighed(ctx, request, deletion);
  return { status: 204 };
}

/** A server has no devices: it deletes for all participants. */
export async function deleteConversationForAll(
  ctx: Uses<'limits' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const id = conversationIdOf(ctx, request);
  await deleteWeighed(ctx, request, { appId: request.appId, id, mode: DeletionMode.ALL_PARTICIPANTS });
  return { status: 204 };
}

type Deletion = { appId: string; userId?: string; id: string; mode: DeletionMode; leave?: boolean };

/** Charges the deletion like a patch, since it changes the conversation for all participants. */
async function deleteWeighed(
  { messaging, limits }: Uses<'limits' | 'messaging'>,
  request: ApiRequest,
  deletion: Deletion,
): Promise<void> {
  function work() {
    return messaging.deleteConversation(deletion);
  }
  const { participantCount } = await limits.concurrency.run('patch', request, work);
  request.weigh(patchWeight(participantCount));
}
