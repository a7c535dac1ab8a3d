import { basicIdentityJson } from '@parley/domain/json/identity';
import { parseBlocksPatch, type BlockChange } from '@parley/domain/parse/user-patch';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { updateBlocks } from '../../upstream/messaging/identity-copies.ts';
import type { ApiRequest } from '../request/route.ts';
import { itemsWeight } from '../../admission/limits/weights.ts';
import { pathUserIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';

const OPERATIONS = { add: Operation.ADD, remove: Operation.REMOVE, set: Operation.SET } as const;

/** Converts the steps of a patch to identity's API. */
export function toBlockSteps(changes: readonly BlockChange[]) {
  return changes.map(({ operation, userIds }) => ({ operation: OPERATIONS[operation], userIds }));
}

export async function listBlocks(
  ctx: Uses<'relations' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, view } = request;
  const ownerUserId = request.userId || pathUserIdOf(ctx, request);
  const list: PagedList<BasicIdentity> = {
    async ask({ fromId, byteBudget }) {
      const found = await ctx.relations.listBlocks({ appId, ownerUserId, fromId, byteBudget });
      return { records: found.identities, hasMore: found.hasMore };
    },
    idOf: ({ userId }) => userId,
    render: (records) => records.map((identity) => basicIdentityJson(view, identity)),
  };
  return respondWithList(ctx, request, () => readChunks(list, { fromId: '', pageSize: Infinity }));
}

function toSingleUpdate(ctx: Uses<'wire'>, request: ApiRequest, operation: Operation) {
  const { appId, userId: ownerUserId } = request;
  const userIds = [pathUserIdOf(ctx, request)];
  return { appId, ownerUserId, steps: [{ operation, userIds }], oneByPath: true };
}

export async function blockUser(
  ctx: Uses<'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await updateBlocks(ctx, toSingleUpdate(ctx, request, Operation.ADD));
  return { status: 204 };
}

export async function unblockUser(
  ctx: Uses<'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await updateBlocks(ctx, toSingleUpdate(ctx, request, Operation.REMOVE));
  return { status: 204 };
}

export async function patchBlocks(
  ctx: Uses<'log' | 'messagingCopies' | 'relations' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const steps = toBlockSteps(parseBlocksPatch(ctx.wire, request.body));
  request.weigh(itemsWeight(steps.flatMap(({ userIds }) => userIds).length));
  await updateBlocks(ctx, { appId: request.appId, ownerUserId: pathUserIdOf(ctx, request), steps });
  return { status: 202 };
}
