import type {
  ListBlockStatesRequest,
  ListBlockStatesResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import { toBlockState } from '../relation/blocks.ts';
import type { Context } from '../context.ts';
import { listBlockStates as listStates } from '../sql/block.ts';
import type { Answer } from './answer.ts';

const MOST = 1000;

export async function listBlockStates(
  ctx: Context,
  { appId, ownerUserId: ownerId, fromId, pageSize }: ListBlockStatesRequest,
): Answer<typeof ListBlockStatesResponseSchema> {
  const page = { appId, ownerId, fromId, pageSize: Math.min(pageSize || MOST, MOST) };
  return { blocks: (await listStates(ctx.db, page)).map(toBlockState) };
}
