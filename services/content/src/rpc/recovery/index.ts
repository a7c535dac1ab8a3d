import type { ServiceImpl } from '@connectrpc/connect';
import type { ContentRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { Context } from '../../context.ts';
import { listReleased } from '../../sql/recovery.ts';
import { adoptContents } from './adopt-contents.ts';

/** What follows a restore. docs/operations.md#after-a-restore */
export function recoveryService(ctx: Context): ServiceImpl<typeof ContentRecoveryService> {
  return {
    adoptContents: (req) => adoptContents(ctx, req),
    listReleasedMessages: async (req) => {
      const rows = await listReleased(ctx.db, req);
      return { messages: rows.map(({ app_id: appId, id }) => ({ appId, id })) };
    },
  };
}
