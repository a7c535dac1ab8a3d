import type { ServiceImpl } from '@connectrpc/connect';
import { tooManyAtOnce } from '@parley/domain/problems';
import { createPoolShares, shareOf, type PoolShares } from '@parley/kit/postgres/pool-shares';
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
import { recordAnnouncementReceipt } from './record-announcement-receipt.ts';

/** Wakes background work that a call has queued. */
export type Wakers = { fanOut(): void };

/** The whole API of this service. Each call uses its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context, wakers: Wakers): void {
  const shares = createPoolShares({ poolSize: ctx.config.poolSize, refusal: tooManyAtOnce });
  server.service(AnnouncementService, announcementService(ctx, { wakers, shares }));
  server.service(ChangeLogService, changeLogService(ctx, shares));
}

type Parts = { wakers: Wakers; shares: PoolShares };

function announcementService(
  ctx: Context,
  { wakers, shares }: Parts,
): ServiceImpl<typeof AnnouncementService> {
  return {
    createAnnouncement: (req) =>
      shares.runHeavy(req.appId, () => createAnnouncement(ctx, req, wakers.fanOut)),
    getAnnouncement: (req) => shares.run(req.appId, () => getAnnouncement(ctx, req)),
    getReceivedAnnouncement: (req) => shares.run(req.appId, () => getReceivedAnnouncement(ctx, req)),
    // Its two statements run in parallel, each on a share of its own.
    listReceivedAnnouncements: (req) =>
      listReceivedAnnouncements({ ...ctx, db: shareOf(ctx.db, shares, req.appId) }, req),
    deleteReceivedAnnouncement: (req) => shares.run(req.appId, () => deleteReceivedAnnouncement(ctx, req)),
    applyErasure: (req) => shares.run(req.appId, () => applyErasure(ctx, req)),
    recordAnnouncementReceipt: (req) => shares.run(req.appId, () => recordAnnouncementReceipt(ctx, req)),
  };
}

/** This service has no events of conversations. */
function changeLogService(ctx: Context, shares: PoolShares): ServiceImpl<typeof ChangeLogService> {
  return {
    listConversationEvents: () => ({}),
    listUserEvents: (req) => shares.runHeavy(req.appId, () => listUserEvents(ctx, req)),
    async getEpoch() {
      await ctx.epochs.check(ctx.db);
      return { epoch: ctx.epochs.current() };
    },
  };
}
