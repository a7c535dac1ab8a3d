import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRevocationsRequest,
  ListRevocationsResponseSchema,
  RevocationSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { listRevocationsSince, type RevocationRow } from '../sql/revocation.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Largest number of revocations in an answer; beyond it a gateway clears its whole cache. */
const MAX_REVOCATIONS = 10_000;

export async function listRevocations(
  ctx: Context,
  { cursor, epoch }: ListRevocationsRequest,
): RpcResponse<typeof ListRevocationsResponseSchema> {
  const { xmin, horizon, rows } = await listRevocationsSince(ctx.db, cursor, MAX_REVOCATIONS + 1);
  const current = ctx.epochs.current();
  // Transaction ids never go back within an epoch, and are given again in the next one. A gateway of the last release names none.
  const isOfOther = cursor > xmin || (epoch !== '' && epoch !== current);
  const lost = cursor > 0 && (cursor < horizon || isOfOther || rows.length > MAX_REVOCATIONS);
  return {
    now: ctx.clock.now(),
    epoch: current,
    cursor: xmin,
    forgetAll: lost,
    revocations: lost ? [] : rows.map(toRevocation),
  };
}

function toRevocation(row: RevocationRow): MessageInitShape<typeof RevocationSchema> {
  if (row.session_id !== null) return { subject: { case: 'sessionId', value: row.session_id } };
  if (row.access_token_id !== null) return { subject: { case: 'accessTokenId', value: row.access_token_id } };
  if (row.user_id === null) return { subject: { case: 'appId', value: row.app_id } };
  return { subject: { case: 'user', value: { appId: row.app_id, userId: row.user_id } } };
}
