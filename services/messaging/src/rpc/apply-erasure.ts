import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ApplyErasureRequest } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import type { Context } from '../context.ts';
import { eraseUsers } from '../identity/erase.ts';
import { lockBlockCopies } from '../sql/identity/block-copy.ts';
import { upsertIdentities } from '../sql/identity/identity-copy.ts';

/**
 * A send reads the copy of its sender after it has locked its conversation. A send that begins after this commit is of
 * the present incarnation or refused; one that began before has stored its message when the erasure gets the lock.
 */
export async function applyErasure(ctx: Context, { identity, blocksUntil }: ApplyErasureRequest) {
  if (!identity || !isUuid(identity.appId)) return failNotFound('app', identity?.appId ?? null);
  const { appId, userId, incarnation: version } = identity;
  await ctx.db.tx(async (tx) => {
    await upsertIdentities(tx, [identity]);
    await lockBlockCopies(tx, { erased: [appId] });
    await eraseUsers(ctx, tx, [{ appId, userId, version, blocksUntil }]);
  });
  return {};
}
