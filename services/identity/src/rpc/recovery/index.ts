import type { Handlers } from '@parley/kit/rpc/implement';
import type { IdentityRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { adoptBlocks, listReaches, raiseBlockVersions } from '../../sql/recovery.ts';
import { adoptIdentities } from './adopt-identities.ts';
import { repeatJournal } from './repeat-journal.ts';
import { takeBackMemberships } from './take-back-memberships.ts';

/** Steps after a restore. docs/operations.md#after-a-restore */
export const RECOVERY: Handlers<typeof IdentityRecoveryService, Context> = {
  repeatJournal,
  async raiseVersions({ db }) {
    await raiseBlockVersions(db);
    return {};
  },
  adoptIdentities,
  async adoptBlocks({ db }, { copies }) {
    return { adoptedCount: await adoptBlocks(db, copies) };
  },
  async listKnownConversations({ db }, request) {
    const rows = await listReaches(db, request);
    const conversations = rows.map((row) => ({
      appId: row.app_id,
      conversationId: row.conversation_id,
      seq: row.seq,
    }));
    return { conversations };
  },
  takeBackMemberships,
};
