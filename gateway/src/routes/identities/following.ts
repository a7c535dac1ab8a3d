import { limits } from '@parley/contract/limits';
import { parseArray } from '@parley/domain/parse/fields';
import { parseIdentityList } from '@parley/domain/parse/identity-refs';
import { parsePage } from '@parley/domain/parse/page';
import { failNotFound } from '@parley/domain/problems';
import type { ApiRequest } from '../request/route.ts';
import { itemsWeight } from '../../limits/weights.ts';
import { followerIdOf, pathUserIdOf } from '../request/params.ts';
import type { HttpResponse } from '../../responses/response.ts';
import type { GatewayContext } from '../../context.ts';

const PAGES = { kind: 'identities', max: limits.followingPage } as const;

function pairOf(request: ApiRequest) {
  return { appId: request.appId, ownerUserId: followerIdOf(request), targetUserId: pathUserIdOf(request) };
}

export async function listFollowedUsers(ctx: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  const page = parsePage(ctx.wire, request.query, PAGES);
  const asked = { appId: request.appId, ownerUserId: followerIdOf(request), ...page };
  const { userIds, total } = await ctx.relations.listFollowing(asked);
  request.weigh(itemsWeight(userIds.length));
  return { status: 200, headers: { [ctx.wire.countHeader]: String(total) }, body: userIds };
}

export async function isFollowing({ relations }: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  const pair = pairOf(request);
  const { following } = await relations.isFollowing(pair);
  return following ? { status: 204 } : failNotFound('follow', pair.targetUserId);
}

export async function followUser({ relations }: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  await relations.followUser(pairOf(request));
  return { status: 204 };
}

export async function unfollowUser(
  { relations }: GatewayContext,
  request: ApiRequest,
): Promise<HttpResponse> {
  await relations.unfollowUser(pairOf(request));
  return { status: 204 };
}

export async function followUsers(
  { wire, relations }: GatewayContext,
  request: ApiRequest,
): Promise<HttpResponse> {
  const targetUserIds = parseIdentityList(wire, parseArray(request.body), {
    property: 'user_ids',
    most: limits.followedAtOnce,
  });
  request.weigh(itemsWeight(targetUserIds.length));
  await relations.followUsers({ appId: request.appId, ownerUserId: followerIdOf(request), targetUserIds });
  return { status: 202 };
}
