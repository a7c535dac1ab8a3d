import { MAX_MESSAGE_BYTES, tooLarge } from '@parley/kit/rpc/byte-budget';
import type {
  FindIdentitiesRequest,
  FindIdentitiesResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Database } from '@parley/kit/postgres';
import type { RpcContext } from './rpc-context.ts';
import { findFittingIdentities } from '../sql/identity.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** The encoding takes far less than the quarter that is left. */
const ANSWER_BUDGET_BYTES = (MAX_MESSAGE_BYTES * 3) / 4;

/**
 * Returns deleted identities, too, marked as deleted, for services that keep copies; in no particular order. Fails if the answer is too
 * large: the caller then asks for each half in turn.
 */
export function findIdentities(
  { db, shares }: RpcContext,
  request: FindIdentitiesRequest,
): RpcResponse<typeof FindIdentitiesResponseSchema> {
  const run = request.batched ? shares.runBatched : shares.run;
  return run(request.appId, () => find(db, request));
}

async function find(
  db: Database,
  { appId, userIds }: FindIdentitiesRequest,
): RpcResponse<typeof FindIdentitiesResponseSchema> {
  if (userIds.length === 0) return { identities: [] };
  const { identities, count } = await findFittingIdentities(db, {
    appId,
    userIds,
    budget: ANSWER_BUDGET_BYTES,
  });
  if (count < userIds.length) throw tooLarge();
  return { identities };
}
