import type { Handlers } from '@parley/kit/rpc/implement';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  IdentityCopySchema,
  MessagingRecoveryService,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { moveHorizon } from '../../sql/log/change-horizon.ts';
import { listBlockCopies, listIdentityCopies } from '../../sql/recovery/copies.ts';
import { listShorter } from '../../sql/recovery/places.ts';
import { findContentMessages, listContentMessages } from './content-messages.ts';

/** Steps after a restore. docs/operations.md#after-a-restore */
export const RECOVERY: Handlers<typeof MessagingRecoveryService, Context> = {
  async beginRecovery(ctx) {
    await moveHorizon(ctx.db, ctx.clock.now());
    await ctx.bus.emptyStream('EVENTS');
    return {};
  },
  async listIdentityCopies(ctx, request) {
    const rows = await listIdentityCopies(ctx.db, request);
    return { copies: rows.map(toIdentityCopy) };
  },
  async listBlockCopies(ctx, request) {
    const rows = await listBlockCopies(ctx.db, request);
    return { copies: rows.map(toBlockCopy) };
  },
  async listShorterConversations(ctx, { conversations }) {
    const rows = await listShorter(ctx.db, conversations);
    return {
      conversations: rows.map(({ app_id: appId, conversation_id: conversationId, seq }) => ({
        appId,
        conversationId,
        seq,
      })),
    };
  },
  listContentMessages,
  findContentMessages,
};

function toIdentityCopy(
  row: Awaited<ReturnType<typeof listIdentityCopies>>[number],
): MessageInitShape<typeof IdentityCopySchema> {
  return {
    appId: row.app_id,
    userId: row.user_id,
    displayName: row.display_name ?? undefined,
    avatarUrl: row.avatar_url ?? undefined,
    isBot: row.is_bot,
    version: row.version,
    deleted: row.deleted,
    incarnation: row.incarnation,
  };
}

function toBlockCopy(row: Awaited<ReturnType<typeof listBlockCopies>>[number]) {
  return {
    appId: row.app_id,
    blockedUserId: row.blocked_user_id,
    ownerUserId: row.owner_user_id,
    active: row.active,
    version: row.version,
    blockedIncarnation: row.blocked_incarnation,
    ownerIncarnation: row.owner_incarnation,
  };
}
