import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares } from '@parley/kit/postgres/pool-shares';
import { implement, type Handlers } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Context } from '../context.ts';
import { applyErasure } from './apply-erasure.ts';
import { createAnnouncement } from './create-announcement.ts';
import { deleteReceivedAnnouncement } from './delete-received-announcement.ts';
import { getAnnouncement } from './get-announcement.ts';
import { getReceivedAnnouncement } from './get-received-announcement.ts';
import { listReceivedAnnouncements } from './list-received-announcements.ts';
import { listUserEvents } from './list-user-events.ts';
import type { RpcContext, Wakers } from './rpc-context.ts';
import { recordAnnouncementReceipt } from './record-announcement-receipt.ts';

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, context: Context, wakers: Wakers): void {
  const shares = createPoolShares({ poolSize: context.config.poolSize, refusal: tooManyAtOnce });
  const ctx: RpcContext = { ...context, wakers, shares };
  server.service(AnnouncementService, implement(AnnouncementService, ctx, ANNOUNCEMENTS));
  server.service(ChangeLogService, implement(ChangeLogService, ctx, CHANGE_LOG));
}

const ANNOUNCEMENTS: Handlers<typeof AnnouncementService, RpcContext> = {
  createAnnouncement,
  getAnnouncement,
  getReceivedAnnouncement,
  listReceivedAnnouncements,
  deleteReceivedAnnouncement,
  applyErasure,
  recordAnnouncementReceipt,
};

/** This service has no events of conversations. */
const CHANGE_LOG: Handlers<typeof ChangeLogService, RpcContext> = {
  listConversationEvents: () => ({}),
  listUserEvents,
  async getEpoch({ db, epochs }) {
    await epochs.check(db);
    return { epoch: epochs.current() };
  },
};
