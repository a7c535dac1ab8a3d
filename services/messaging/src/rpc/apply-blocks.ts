import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ApplyBlocksRequest } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import type { Context } from '../context.ts';
import { lockBlockCopies, upsertBlockCopies } from '../sql/identity/block-copy.ts';

/**
 * Applies blocks in one transaction. A send reads blocks after it has locked its conversation, so a send that begins
 * after the commit honours them.
 */
export async function applyBlocks(ctx: Context, { appId, ownerUserId, blocks }: ApplyBlocksRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  const copies = blocks.map(({ blockedUserId, blocked, version }) => ({
    app_id: appId,
    blocked_user_id: blockedUserId,
    owner_user_id: ownerUserId,
    active: blocked,
    version,
  }));
  await ctx.db.tx(async (tx) => {
    await lockBlockCopies(tx, { changed: [appId] });
    await upsertBlockCopies(tx, copies);
  });
  return {};
}
