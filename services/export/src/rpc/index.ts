import { implement, type Handlers } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
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

/** Mounts the RPCs of this service. */
export function mountRpc(server: RpcServer, ctx: Context): void {
  server.service(ExportService, implement(ExportService, ctx, HANDLERS));
}

const HANDLERS: Handlers<typeof ExportService, Context> = {
  registerKey,
  getKey,
  requestExport,
  getExport,
  listExports,
  deleteExport,
  configureSchedule,
  getSchedule,
};
