import type { ServiceImpl } from '@connectrpc/connect';
import type { RpcServer } from '@parley/kit/rpc/server';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import { contextOf, type Context } from '../context.ts';
import { configureSchedule } from './configure-schedule.ts';
import { deleteExport } from './delete-export.ts';
import { getExport } from './get-export.ts';
import { getKey } from './get-key.ts';
import { getSchedule } from './get-schedule.ts';
import { listExports } from './list-exports.ts';
import { registerKey } from './register-key.ts';
import { requestExport } from './request-export.ts';

/** Mounts the RPCs of this service; each call takes its application's share of the database connections. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ExportService, exportService(ctx));
}

function exportService(ctx: Context): ServiceImpl<typeof ExportService> {
  function of({ appId }: { appId: string }): Context {
    return contextOf(ctx, appId);
  }
  return {
    registerKey: (request) => registerKey(of(request), request),
    getKey: (request) => getKey(of(request), request),
    requestExport: (request) => requestExport(of(request), request),
    getExport: (request) => getExport(of(request), request),
    listExports: (request) => listExports(of(request), request),
    deleteExport: (request) => deleteExport(ctx, request),
    configureSchedule: (request) => configureSchedule(of(request), request),
    getSchedule: (request) => getSchedule(of(request), request),
  };
}
