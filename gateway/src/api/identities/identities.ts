import { identityJson } from '@parley/domain/json/identity';
import { limits } from '@parley/contract/limits';
import { parseIdentity } from '@parley/domain/parse/identity';
import { parsePage } from '@parley/domain/parse/page';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { itemsWeight } from '../../admission/limits/weights.ts';
import { applyIdentities } from '../../upstream/messaging/identity-copies.ts';
import { getPresentIdentity, joinPresences, type PresentIdentity } from './find.ts';
import { followerIdOf, newUserIdOf, pathUserIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'identities', max: limits.identityPage } as const;

/** The identities that a user follows, each with its presence. */
export async function listFollowedIdentities(
  ctx: Uses<'relations' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, view, query } = request;
  const page = parsePage(ctx.wire, query, PAGES);
  const ownerUserId = followerIdOf(ctx, request);
  const list: PagedList<PresentIdentity> = {
    async ask(wanted) {
      const asked = { appId, ownerUserId, ...wanted, withIdentities: true };
      const { identities, presences, total, hasMore } = await ctx.relations.listFollowing(asked);
      request.weigh(itemsWeight(identities.length));
      return { records: joinPresences(identities, presences), total, hasMore };
    },
    idOf: ({ identity }) => identity.userId,
    render: (records) => records.map(({ identity, presence }) => identityJson(view, identity, presence)),
  };
  return respondWithList(ctx, request, () => readChunks(list, page));
}

export async function getUserIdentity(
  ctx: Uses<'identity' | 'presences' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { identity, presence } = await getPresentIdentity(ctx, request.appId, {
    userId: pathUserIdOf(ctx, request),
    viewer: request.userId,
  });
  return { status: 200, body: identityJson(request.view, identity, presence) };
}

export async function createIdentity(ctx: Uses<'identity'>, request: ApiRequest): Promise<HttpResponse> {
  const userId = newUserIdOf(request);
  const { identity } = parseIdentity(request.body, 'create');
  await ctx.identity.createIdentity({ identity: { ...identity, appId: request.appId, userId } });
  return { status: 201 };
}

export async function replaceIdentity(
  ctx: Uses<'identity' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const userId = pathUserIdOf(ctx, request);
  const { identity } = parseIdentity(request.body, 'replace');
  await ctx.identity.replaceIdentity({ identity: { ...identity, appId: request.appId, userId } });
  return { status: 204 };
}

export async function updateIdentity(
  ctx: Uses<'identity' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const userId = pathUserIdOf(ctx, request);
  const { identity, fields } = parseIdentity(request.body, 'update');
  await ctx.identity.updateIdentity({ identity: { ...identity, appId: request.appId, userId }, fields });
  return { status: 204 };
}

export async function deleteIdentity(
  ctx: Uses<'auth' | 'identity' | 'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId } = request;
  const { identity } = await ctx.identity.deleteIdentity({ appId, userId: pathUserIdOf(ctx, request) });
  await ctx.auth.learnRevocations();
  if (identity) await applyIdentities(ctx, { appId, identities: [identity] });
  return { status: 204 };
}
