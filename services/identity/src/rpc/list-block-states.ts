import type {
  ListBlockStatesRequest,
  ListBlockStatesResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import { toBlockState } from '../relation/blocks.ts';
import type { Context } from '../context.ts';
import { listBlockStates as listStates } from '../sql/block.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

const MAX_PAGE_SIZE = 1000;

export async function listBlockStates(
  ctx: Context,
  { appId, ownerUserId: ownerId, fromId, pageSize }: ListBlockStatesRequest,
): RpcResponse<typeof ListBlockStatesResponseSchema> {
  const page = { appId, ownerId, fromId, pageSize: Math.min(pageSize || MAX_PAGE_SIZE, MAX_PAGE_SIZE) };
  return { blocks: (await listStates(ctx.db, page)).map(toBlockState) };
}
