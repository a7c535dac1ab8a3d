import type { Handlers } from '@parley/kit/rpc/implement';
import type { ContentRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { listReleased } from '../../sql/recovery.ts';
import { adoptContents } from './adopt-contents.ts';

/** Steps after a restore. docs/operations.md#after-a-restore */
export const RECOVERY: Handlers<typeof ContentRecoveryService, Context> = {
  adoptContents,
  async listReleasedMessages(ctx, req) {
    const rows = await listReleased(ctx.db, req);
    return { messages: rows.map(({ app_id: appId, id }) => ({ appId, id })) };
  },
};
