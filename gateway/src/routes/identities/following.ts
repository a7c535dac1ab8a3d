import { identityJson } from '@parley/domain/json/identity';
import { limits } from '@parley/domain/limits';
import { parseArray } from '@parley/domain/parse/fields';
import { parseIdentityList } from '@parley/domain/parse/identity-refs';
import { parsePage } from '@parley/domain/parse/page';
import { fail } from '@parley/domain/problems';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { answerList } from '../../answers/list.ts';
import { readPieces, type PagedList } from '../../answers/pieces.ts';
import type { ApiRequest, Handler, Route } from '../route.ts';
import { itemsWeight } from '../../limits/weights.ts';
import { getPresentIdentity } from './find.ts';
import { pathUserIdOf } from '../params.ts';

/** Who follows: the session's user, or the one that a server names. Problems: not_found. */
function ownerOf(request: ApiRequest): string {
  return (
    request.userId || pathUserIdOf({ ...request, params: { user_id: request.params['owner_user_id'] ?? '' } })
  );
}

function pairOf(request: ApiRequest) {
  return { appId: request.appId, ownerUserId: ownerOf(request), targetUserId: pathUserIdOf(request) };
}

const identityPages = { kind: 'identities', max: limits.identityPage } as const;
type Listed = { identity: Identity; presence: Presence | undefined };

const userPages = { kind: 'identities', max: limits.followingPage } as const;

const listIdentities: Handler = async (ctx, request) => {
  const { appId, view, query } = request;
  const page = parsePage(ctx.wire, query, identityPages);
  const ownerUserId = ownerOf(request);
  const list: PagedList<Listed> = {
    async ask(wanted) {
      const asked = { appId, ownerUserId, ...wanted, withIdentities: true };
      const { identities, presences, total, hasMore } = await ctx.relations.listFollowing(asked);
      request.weigh(itemsWeight(identities.length));
      const presenceOf = new Map(presences.map((presence) => [presence.userId, presence]));
      const records = identities.map((identity) => ({ identity, presence: presenceOf.get(identity.userId) }));
      return { records, total, hasMore };
    },
    idOf: ({ identity }) => identity.userId,
    render: (records) => records.map(({ identity, presence }) => identityJson(view, identity, presence)),
  };
  return answerList(ctx, request, () => readPieces(list, page));
};

const listUserIds: Handler = async (ctx, request) => {
  const page = parsePage(ctx.wire, request.query, userPages);
  const asked = { appId: request.appId, ownerUserId: ownerOf(request), ...page };
  const { userIds, total } = await ctx.relations.listFollowing(asked);
  request.weigh(itemsWeight(userIds.length));
  return { status: 200, headers: { [ctx.wire.countHeader]: String(total) }, body: userIds };
};

const readIdentity: Handler = async (ctx, request) => {
  const { identity, presence } = await getPresentIdentity(ctx, request.appId, pathUserIdOf(request));
  return { status: 200, body: identityJson(request.view, identity, presence) };
};

const isFollowing: Handler = async ({ relations }, request) => {
  const { following } = await relations.isFollowing(pairOf(request));
  return following ? { status: 204 } : fail('not_found', { message: 'The user is not followed.' });
};

const follow: Handler = async ({ relations }, request) => {
  await relations.followUser(pairOf(request));
  return { status: 204 };
};

const unfollow: Handler = async ({ relations }, request) => {
  await relations.unfollowUser(pairOf(request));
  return { status: 204 };
};

const followMany: Handler = async ({ wire, relations }, request) => {
  const targetUserIds = parseIdentityList(wire, parseArray(request.body), {
    property: 'user_ids',
    most: limits.followedAtOnce,
  });
  request.weigh(itemsWeight(targetUserIds.length));
  await relations.followUsers({ appId: request.appId, ownerUserId: ownerOf(request), targetUserIds });
  return { status: 202 };
};

/** SPEC Identities and following (CA) */
export const following: Route[] = [
  {
    method: 'GET',
    path: '/identities',
    auth: 'session',
    kind: 'list',
    summary: 'List followed identities',
    handle: listIdentities,
  },
  {
    method: 'GET',
    path: '/identities/:user_id',
    auth: 'session',
    summary: 'Get an identity',
    handle: readIdentity,
  },
  {
    method: 'GET',
    path: '/following',
    auth: 'session',
    kind: 'list',
    summary: 'List followed users',
    handle: listUserIds,
  },
  {
    method: 'POST',
    path: '/following/users',
    auth: 'session',
    kind: 'patch',
    summary: 'Follow several users',
    handle: followMany,
  },
  {
    method: 'GET',
    path: '/following/users/:user_id',
    auth: 'session',
    summary: 'Is a user followed',
    handle: isFollowing,
  },
  {
    method: 'PUT',
    path: '/following/users/:user_id',
    auth: 'session',
    summary: 'Follow a user',
    handle: follow,
  },
  {
    method: 'DELETE',
    path: '/following/users/:user_id',
    auth: 'session',
    summary: 'Unfollow a user',
    handle: unfollow,
  },
];

const owner = '/apps/:app_uuid/users/:owner_user_id';

/** The same for a server, by shorter paths; here the owner need not be free to act. SPEC completions 5 */
export const serverFollowing: Route[] = [
  {
    method: 'GET',
    path: `${owner}/identities`,
    auth: 'bearer',
    kind: 'list',
    summary: 'List followed identities',
    handle: listIdentities,
  },
  {
    method: 'GET',
    path: `${owner}/following`,
    auth: 'bearer',
    kind: 'list',
    summary: 'List followed users',
    handle: listUserIds,
  },
  {
    method: 'POST',
    path: `${owner}/following`,
    auth: 'bearer',
    kind: 'patch',
    summary: 'Follow several users',
    handle: followMany,
  },
  {
    method: 'GET',
    path: `${owner}/following/:user_id`,
    auth: 'bearer',
    summary: 'Is a user followed',
    handle: isFollowing,
  },
  {
    method: 'PUT',
    path: `${owner}/following/:user_id`,
    auth: 'bearer',
    summary: 'Follow a user',
    handle: follow,
  },
  {
    method: 'DELETE',
    path: `${owner}/following/:user_id`,
    auth: 'bearer',
    summary: 'Unfollow a user',
    handle: unfollow,
  },
];
