import { limits } from '@parley/contract/limits';
import { parseArray } from '@parley/domain/parse/fields';
import { parseIdentityList } from '@parley/domain/parse/identity-refs';
import { parsePage } from '@parley/domain/parse/page';
import { failNotFound } from '@parley/domain/problems';
import type { ApiRequest } from '../request/route.ts';
import { itemsWeight } from '../../admission/limits/weights.ts';
import { followerIdOf, pathUserIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'identities', max: limits.followingPage } as const;

function pairOf(ctx: Uses<'wire'>, request: ApiRequest) {
  const [ownerUserId, targetUserId] = [followerIdOf(ctx, request), pathUserIdOf(ctx, request)];
  return { appId: request.appId, ownerUserId, targetUserId };
}

export async function listFollowedUsers(
  ctx: Uses<'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const page = parsePage(ctx.wire, request.query, PAGES);
  const asked = { appId: request.appId, ownerUserId: followerIdOf(ctx, request), ...page };
  const { userIds, total } = await ctx.relations.listFollowing(asked);
  request.weigh(itemsWeight(userIds.length));
  return { status: 200, headers: { [ctx.wire.countHeader]: String(total) }, body: userIds };
}

export async function isFollowing(
  ctx: Uses<'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const pair = pairOf(ctx, request);
  const { following } = await ctx.relations.isFollowing(pair);
  return following ? { status: 204 } : failNotFound('follow', pair.targetUserId);
}

export async function followUser(
  ctx: Uses<'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.relations.followUser(pairOf(ctx, request));
  return { status: 204 };
}

export async function unfollowUser(
  ctx: Uses<'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.relations.unfollowUser(pairOf(ctx, request));
  return { status: 204 };
}

export async function followUsers(
  ctx: Uses<'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const targetUserIds = parseIdentityList(ctx.wire, parseArray(request.body), {
    property: 'user_ids',
    most: limits.followedAtOnce,
  });
  request.weigh(itemsWeight(targetUserIds.length));
  await ctx.relations.followUsers({
    appId: request.appId,
    ownerUserId: followerIdOf(ctx, request),
    targetUserIds,
  });
  return { status: 202 };
}
