import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { adoptBlocks, listReaches, raiseBlockVersions } from '../../sql/recovery.ts';
import { adoptIdentities } from './adopt-identities.ts';
import { repeatJournal } from './repeat-journal.ts';
import { takeBackMemberships } from './take-back-memberships.ts';

/** What follows a restore. docs/operations.md#after-a-restore */
export function recoveryService(ctx: Context): ServiceImpl<typeof IdentityRecoveryService> {
  return {
    repeatJournal: (req) => repeatJournal(ctx, req),
    raiseVersions: async () => {
      await raiseBlockVersions(ctx.db);
      return {};
    },
    adoptIdentities: (req) => adoptIdentities(ctx, req),
    adoptBlocks: async ({ copies }) => ({ adoptedCount: await adoptBlocks(ctx.db, copies) }),
    listKnownConversations: async (req) => {
      const rows = await listReaches(ctx.db, req);
      const conversations = rows.map((row) => ({
        appId: row.app_id,
        conversationId: row.conversation_id,
        seq: row.seq,
      }));
      return { conversations };
    },
    takeBackMemberships: (req) => takeBackMemberships(ctx, req),
  };
}
