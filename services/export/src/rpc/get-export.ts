import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { GetExportRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { isExpired, toExport } from '../export/view.ts';
import { findExport } from '../sql/export.ts';

/** Problems: not_found. */
export async function getExport(ctx: Context, { appId, id }: GetExportRequest) {
  const row = isUuid(id) ? await findExport(ctx.db, { appId, id }) : undefined;
  if (!row || isExpired(ctx, row.expired_at)) return failNotFound('export', id);
  return { export: await toExport(ctx, row) };
}
