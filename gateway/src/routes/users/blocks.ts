import { basicIdentityJson } from '@parley/domain/json/identity';
import { parseBlocksPatch, type BlockChange } from '@parley/domain/parse/user-patch';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { answerList } from '../../answers/list.ts';
import { readPieces, type PagedList } from '../../answers/pieces.ts';
import { updateBlocks } from '../../messaging/identity-copies.ts';
import type { ApiRequest, Handler, Route } from '../route.ts';
import { itemsWeight } from '../../limits/weights.ts';
import { pathUserIdOf } from '../params.ts';

const OPERATIONS = { add: Operation.ADD, remove: Operation.REMOVE, set: Operation.SET } as const;

/** Steps of a patch as the service takes them. */
export function toBlockSteps(changes: readonly BlockChange[]) {
  return changes.map(({ operation, userIds }) => ({ operation: OPERATIONS[operation], userIds }));
}

const listBlocks: Handler = async (ctx, request) => {
  const { appId, view } = request;
  const ownerUserId = request.userId || pathUserIdOf(request);
  const list: PagedList<BasicIdentity> = {
    async ask({ fromId, byteBudget }) {
      const found = await ctx.relations.listBlocks({ appId, ownerUserId, fromId, byteBudget });
      return { records: found.identities, hasMore: found.hasMore };
    },
    idOf: ({ userId }) => userId,
    render: (records) => records.map((identity) => basicIdentityJson(view, identity)),
  };
  return answerList(ctx, request, () => readPieces(list, { fromId: '', pageSize: Infinity }));
};

function toSingleUpdate({ appId, userId, ...request }: ApiRequest, operation: Operation) {
  const userIds = [pathUserIdOf({ ...request, appId, userId })];
  return { appId, ownerUserId: userId, steps: [{ operation, userIds }], oneByPath: true };
}

const blockUser: Handler = async (ctx, request) => {
  await updateBlocks(ctx, toSingleUpdate(request, Operation.ADD));
  return { status: 204 };
};

const unblockUser: Handler = async (ctx, request) => {
  await updateBlocks(ctx, toSingleUpdate(request, Operation.REMOVE));
  return { status: 204 };
};

const patchBlocks: Handler = async (ctx, request) => {
  const steps = toBlockSteps(parseBlocksPatch(ctx.wire, request.body));
  request.weigh(itemsWeight(steps.flatMap(({ userIds }) => userIds).length));
  await updateBlocks(ctx, { appId: request.appId, ownerUserId: pathUserIdOf(request), steps });
  return { status: 202 };
};

/** SPEC completions 4 */
export const blocks: Route[] = [
  {
    method: 'GET',
    path: '/blocks',
    auth: 'session',
    kind: 'list',
    summary: 'List blocked users',
    handle: listBlocks,
  },
  { method: 'PUT', path: '/blocks/:user_id', auth: 'session', summary: 'Block a user', handle: blockUser },
  {
    method: 'DELETE',
    path: '/blocks/:user_id',
    auth: 'session',
    summary: 'Unblock a user',
    handle: unblockUser,
  },
];

const path = '/apps/:app_uuid/users/:user_id/blocks';

/** SPEC Versioning 4, completions 5 */
export const serverBlocks: Route[] = [
  { method: 'GET', path, auth: 'bearer', kind: 'list', summary: 'List blocked users', handle: listBlocks },
  { method: 'PATCH', path, auth: 'bearer', summary: 'Change blocked users', handle: patchBlocks },
];
