import { limits } from '@parley/contract/limits';
import { reactionJson } from '@parley/domain/json/reaction-record';
import { parsePageSize } from '@parley/domain/parse/page';
import {
  parseReaction,
  parseReactionKey,
  parseReactionRef,
  parseReactionRequest,
  parseReplace,
} from '@parley/domain/parse/reaction';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';
import { messageIdOf, messageRefOf } from '../request/params.ts';
import type { ApiRequest } from '../request/route.ts';

export async function react(
  ctx: Uses<'reactionRecorder' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const key = parseReactionKey(request.params['key']);
  const replace = parseReplace(request.query);
  const notification = parseReaction(request.body);
  return record(ctx, request, { key, replace, ...(notification && { notification }) });
}

export async function unreact(
  ctx: Uses<'reactionRecorder' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  return record(ctx, request, { key: parseReactionKey(request.params['key']), remove: true });
}

/** The same for a socket, whose data has the key, too. */
export async function reactByData(
  ctx: Uses<'reactionRecorder' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { key, replace, notification } = parseReactionRequest(request.body);
  return record(ctx, request, { key, replace, ...(notification && { notification }) });
}

export async function unreactByData(
  ctx: Uses<'reactionRecorder' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  return record(ctx, request, { key: parseReactionRequest(request.body).key, remove: true });
}

type Change = Omit<
  Parameters<Uses<'reactionRecorder'>['reactionRecorder']['record']>[0],
  'appId' | 'messageId' | 'userId'
>;

async function record(
  ctx: Uses<'reactionRecorder' | 'wire'>,
  request: ApiRequest,
  change: Change,
): Promise<HttpResponse> {
  const { appId, userId } = request;
  await ctx.reactionRecorder.record({ appId, userId, messageId: messageIdOf(ctx, request), ...change });
  return { status: 204 };
}

/** Serves both the path for clients and the path for servers, which names the conversation too. */
export async function listReactions(
  ctx: Uses<'reactions' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, view, query } = request;
  const ref = messageRefOf(ctx, request);
  const given = query.get('key');
  const fromId = query.get('from_id');
  const { reactions } = await ctx.reactions.listReactions({
    appId,
    userId,
    ...ref,
    key: given === null ? '' : parseReactionKey(given),
    pageSize: parsePageSize(query, { max: limits.reactionPage }),
    fromId: fromId ? parseReactionRef(ctx.wire, ref.messageId, fromId) : '',
  });
  return { status: 200, body: reactions.map((reaction) => reactionJson(view, ref.messageId, reaction)) };
}
