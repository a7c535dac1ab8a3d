import type { ListExportsRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { isExpired, toExport } from '../export/view.ts';
import { listExports as listRows } from '../sql/export.ts';

/** Exports that have not expired, newest first. */
export async function listExports(ctx: Context, { appId }: ListExportsRequest) {
  const rows = await listRows(ctx.db, appId);
  const shown = rows.filter(({ expired_at }) => !isExpired(ctx, expired_at));
  return { exports: await Promise.all(shown.map((row) => toExport(ctx, row))) };
}
