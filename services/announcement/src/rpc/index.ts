import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Context } from '../context.ts';
import { createAnnouncement } from './create-announcement.ts';
import { deleteReceivedAnnouncement } from './delete-received-announcement.ts';
import { getAnnouncement } from './get-announcement.ts';
import { getReceivedAnnouncement } from './get-received-announcement.ts';
import { listReceivedAnnouncements } from './list-received-announcements.ts';
import { listUserEvents } from './list-user-events.ts';
import { recordAnnouncementReceipt } from './record-announcement-receipt.ts';

/** What a call sets off that goes on after its answer. */
export type Wakers = { fanOut(): void };

/** The whole API of this service. */
export function mountRpc(server: RpcServer, ctx: Context, wakers: Wakers): void {
  server.service(AnnouncementService, announcementService(ctx, wakers));
  server.service(ChangeLogService, changeLogService(ctx));
}

function announcementService(ctx: Context, wakers: Wakers): ServiceImpl<typeof AnnouncementService> {
  return {
    createAnnouncement: (req) => createAnnouncement(ctx, req, wakers.fanOut),
    getAnnouncement: (req) => getAnnouncement(ctx, req),
    getReceivedAnnouncement: (req) => getReceivedAnnouncement(ctx, req),
    listReceivedAnnouncements: (req) => listReceivedAnnouncements(ctx, req),
    deleteReceivedAnnouncement: (req) => deleteReceivedAnnouncement(ctx, req),
    recordAnnouncementReceipt: (req) => recordAnnouncementReceipt(ctx, req),
  };
}

/** Nothing here is of a conversation. */
function changeLogService(ctx: Context): ServiceImpl<typeof ChangeLogService> {
  return {
    listConversationEvents: () => ({}),
    listUserEvents: (req) => listUserEvents(ctx, req),
  };
}
