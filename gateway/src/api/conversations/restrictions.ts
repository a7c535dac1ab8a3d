import { limits } from '@parley/contract/limits';
import { restrictionJson } from '@parley/domain/json/restriction';
import { parsePage } from '@parley/domain/parse/page';
import { parseRestriction } from '@parley/domain/parse/restriction';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { respondWithList } from '@parley/http/answers/list';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Restriction } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { Uses } from '../context.ts';
import { conversationIdOf, pathUserIdOf } from '../request/params.ts';
import type { ApiRequest } from '../request/route.ts';

const PAGES = { kind: 'identities', max: limits.restrictionPage } as const;

export async function listRestrictions(
  ctx: Uses<'policy' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId: callerUserId, query, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const page = parsePage(ctx.wire, query, PAGES);
  const list: PagedList<Restriction> = {
    async ask(wanted) {
      const asked = { appId, conversationId, callerUserId, ...wanted };
      const { restrictions, hasMore } = await ctx.policy.listRestrictions(asked);
      return { records: restrictions, hasMore };
    },
    idOf: ({ user }) => user?.userId ?? '',
    render: (records) => records.map((restriction) => restrictionJson(view, restriction)),
  };
  return respondWithList(ctx, request, () => readChunks(list, page));
}

export async function putRestriction(
  ctx: Uses<'clock' | 'policy' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const restriction = parseRestriction(request.body, { kinds: ['mute', 'ban'], now: ctx.clock.now() });
  await ctx.policy.putRestriction(Object.assign(targetOf(ctx, request), restriction));
  return { status: 204 };
}

export async function deleteRestriction(
  ctx: Uses<'policy' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.policy.deleteRestriction(targetOf(ctx, request));
  return { status: 204 };
}

function targetOf(ctx: Uses<'wire'>, request: ApiRequest) {
  return {
    appId: request.appId,
    callerUserId: request.userId,
    conversationId: conversationIdOf(ctx, request),
    userId: pathUserIdOf(ctx, request),
  };
}

export async function putUserRestriction(
  ctx: Uses<'clock' | 'policy' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const restriction = parseRestriction(request.body, { kinds: ['mute', 'shadow'], now: ctx.clock.now() });
  const { appId } = request;
  await ctx.policy.putUserRestriction(
    Object.assign({ appId, userId: pathUserIdOf(ctx, request) }, restriction),
  );
  return { status: 204 };
}

export async function deleteUserRestriction(
  ctx: Uses<'policy' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.policy.deleteUserRestriction({ appId: request.appId, userId: pathUserIdOf(ctx, request) });
  return { status: 204 };
}
