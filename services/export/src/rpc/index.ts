import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc-server';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { configureSchedule } from './configure-schedule.ts';
import { deleteExport } from './delete-export.ts';
import { getExport } from './get-export.ts';
import { getKey } from './get-key.ts';
import { getSchedule } from './get-schedule.ts';
import { listExports } from './list-exports.ts';
import { registerKey } from './register-key.ts';
import { requestExport } from './request-export.ts';

/** The whole API of this service. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ExportService, exportService(ctx));
}

function exportService(ctx: Context): ServiceImpl<typeof ExportService> {
  return {
    registerKey: (request) => registerKey(ctx, request),
    getKey: (request) => getKey(ctx, request),
    requestExport: (request) => requestExport(ctx, request),
    getExport: (request) => getExport(ctx, request),
    listExports: (request) => listExports(ctx, request),
    deleteExport: (request) => deleteExport(ctx, request),
    configureSchedule: (request) => configureSchedule(ctx, request),
    getSchedule: (request) => getSchedule(ctx, request),
  };
}
