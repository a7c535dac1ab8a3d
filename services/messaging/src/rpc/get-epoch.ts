import { isUuid } from '@parley/domain/ids';
import type {
  GetEpochRequest,
  GetEpochResponseSchema,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { witnessOf } from '../live/told-changes.ts';

const MAX_TOLD = 100;

/** The present epoch. Another one begins if the database lacks a change that the caller was told in this one. */
export async function getEpoch(
  { db, epochs }: Context,
  { epoch, told }: GetEpochRequest,
): RpcResponse<typeof GetEpochResponseSchema> {
  const some = told.filter(({ appId, conversationId }) => isUuid(appId) && isUuid(conversationId));
  await epochs.check(db, witnessOf(epoch, some.slice(0, MAX_TOLD)));
  return { epoch: epochs.current() };
}
