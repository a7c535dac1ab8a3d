import { limits } from '@parley/contract/limits';
import { basicIdentityJson, identityJson } from '@parley/domain/json/identity';
import { parseBadge } from '@parley/domain/parse/badge';
import { parseChoice } from '@parley/domain/parse/choice';
import { parsePage, parsePageSize } from '@parley/domain/parse/page';
import { parseUserSearch, requireUserSearch } from '@parley/domain/parse/user-search';
import { parseUserPatch } from '@parley/domain/parse/user-patch';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { applyErasure, updateBlocks } from '../../upstream/messaging/identity-copies.ts';
import { ERASURE_WEIGHT, itemsWeight } from '../../admission/limits/weights.ts';
import { getPresentIdentity, joinPresences, type PresentIdentity } from '../identities/find.ts';
import { toBlockSteps } from './blocks.ts';
import { pathUserIdOf } from '../request/params.ts';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { respondWithList } from '@parley/http/answers/list';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'identities', max: limits.userPage } as const;
const TYPES = { user: IdentityType.USER, bot: IdentityType.BOT };
const SUSPENDED = { true: true, false: false };

export async function listUsers(
  ctx: Uses<'identity' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, view, query } = request;
  const page = parsePage(ctx.wire, query, PAGES);
  const beginning = parseUserSearch(query);
  const [type, suspended] = [query.get('type'), query.get('suspended')];
  const asked = {
    appId,
    ...(beginning !== undefined && { query: beginning }),
    type: type === null ? IdentityType.UNSPECIFIED : parseChoice(TYPES, type, 'type'),
    ...(suspended !== null && { suspended: parseChoice(SUSPENDED, suspended, 'suspended') }),
  };
  const list: PagedList<PresentIdentity> = {
    async ask(wanted) {
      const { identities, presences, hasMore } = await ctx.identity.listUsers({ ...asked, ...wanted });
      request.weigh(itemsWeight(identities.length));
      return { records: joinPresences(identities, presences), hasMore };
    },
    idOf: ({ identity }) => identity.userId,
    render: (records) =>
      records.map(({ identity, presence }) => ({
        identity: identityJson(view, identity, presence),
        suspended: identity.suspended,
      })),
  };
  return respondWithList(ctx, request, () => readChunks(list, page));
}

/** Counts the searches of a session. A server that acts as a user has the rate of its access token instead. */
export async function findUsers(
  { identity, limits: rates }: Uses<'identity' | 'limits'>,
  { appId, userId, tokenId, view, query, weigh }: ApiRequest,
): Promise<HttpResponse> {
  if (view.audience === 'client') rates.userSearch(tokenId);
  const pageSize = parsePageSize(query, { max: limits.foundUsers });
  const { identities } = await identity.findUsers({
    appId,
    userId,
    query: requireUserSearch(query),
    pageSize,
  });
  weigh(itemsWeight(identities.length));
  return { status: 200, body: identities.map((found) => basicIdentityJson(view, found)) };
}

export async function getUser(
  ctx: Uses<'identity' | 'presences' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { identity, presence } = await getPresentIdentity(ctx, request.appId, {
    userId: pathUserIdOf(ctx, request),
    viewer: '',
  });
  const { suspended } = identity;
  return { status: 200, body: { identity: identityJson(request.view, identity, presence), suspended } };
}

/** Changes suspension and blocks, which are separate records: both are validated before either is changed. */
export async function updateUser(
  ctx: Uses<'auth' | 'identity' | 'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { wire, identity, auth } = ctx;
  const { appId } = request;
  const userId = pathUserIdOf(ctx, request);
  const { suspended, blocks } = parseUserPatch(wire, request.body);
  request.weigh(itemsWeight(blocks.flatMap(({ userIds }) => userIds).length));
  await updateBlocks(ctx, { appId, ownerUserId: userId, steps: toBlockSteps(blocks) });
  if (suspended !== undefined) {
    await identity.setUserSuspended({ appId, userId, suspended });
    await auth.learnRevocations();
  }
  return { status: 202 };
}

export async function eraseUser(
  ctx: Uses<'announcement' | 'auth' | 'identity' | 'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  request.weigh(ERASURE_WEIGHT);
  const erased = await ctx.identity.eraseUser({ appId: request.appId, userId: pathUserIdOf(ctx, request) });
  await ctx.auth.learnRevocations();
  await applyErasure(ctx, erased);
  return { status: 202 };
}

export async function deleteUserSessions(
  ctx: Uses<'auth' | 'identity' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.identity.deleteUserSessions({ appId: request.appId, userId: pathUserIdOf(ctx, request) });
  await ctx.auth.learnRevocations();
  return { status: 204 };
}

export async function getBadge(
  ctx: Uses<'identity' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const user = { appId: request.appId, userId: pathUserIdOf(ctx, request) };
  const { externalUnreadCount } = await ctx.identity.getExternalUnreadCount(user);
  const { unreadConversationCount, unreadMessageCount } = await ctx.messaging.getUnreadTotals(user);
  return {
    status: 200,
    body: {
      external_unread_count: externalUnreadCount,
      unread_conversation_count: unreadConversationCount,
      unread_message_count: unreadMessageCount,
    },
  };
}

export async function setBadge(ctx: Uses<'identity' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  const userId = pathUserIdOf(ctx, request);
  const externalUnreadCount = parseBadge(request.body);
  await ctx.identity.setExternalUnreadCount({ appId: request.appId, userId, externalUnreadCount });
  return { status: 204 };
}
