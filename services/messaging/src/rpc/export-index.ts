import type { ServiceImpl } from '@connectrpc/connect';
import type {
  ExportSourceService,
  RestoreService,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { exportConversations } from './export-conversations.ts';
import { dropCut } from './drop-cut.ts';
import { fixCut } from './fix-cut.ts';
import { listMessagePlaces } from './list-message-places.ts';
import { exportMessages } from './export-messages.ts';
import { restoreConversations } from './restore-conversations.ts';
import { restoreMessages } from './restore-messages.ts';

export function exportSourceService(ctx: Context): ServiceImpl<typeof ExportSourceService> {
  const { shares } = ctx;
  return {
    fixCut: (request) => fixCut(ctx, request),
    exportConversations: (request) => exportConversations(ctx, request),
    exportMessages: (request) => exportMessages(ctx, request),
    dropCut: (request) => shares.run(request.appId, () => dropCut(ctx, request)),
    listMessagePlaces: (request) => shares.run(request.appId, () => listMessagePlaces(ctx, request)),
  };
}

export function restoreService(ctx: Context): ServiceImpl<typeof RestoreService> {
  return {
    restoreConversations: (request) => restoreConversations(ctx, request),
    restoreMessages: (request) => restoreMessages(ctx, request),
  };
}
