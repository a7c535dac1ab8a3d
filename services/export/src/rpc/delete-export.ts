import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import { detach } from '@parley/kit/runtime/request-context';
import type { DeleteExportRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import { contextOf, type Context } from '../context.ts';
import { deleteExport as deleteRow, type ExportRow } from '../sql/export.ts';
import { deleteHistoricalRequest } from '../sql/historical-request.ts';
import { purgeBlobs } from '../export/purge-blobs.ts';

/** Runs work that outlives the request. */
const DETACHED = detach();

/**
 * Deletes an export. A run in progress notices and ends; a cancelled historical export does not count against the 24 hours.
 * Problems: not_found. docs/protocol/exports.md#historical-exports
 */
export async function deleteExport(ctx: Context, { appId, id }: DeleteExportRequest) {
  const row = isUuid(id) ? await deleteInTransaction(contextOf(ctx, appId), appId, id) : undefined;
  if (!row) return failNotFound('export', id);
  void DETACHED(() => cleanUp(ctx, row)).catch((error: unknown) =>
    ctx.log.warn({ error, appId, exportId: id }, 'failed to clean up deleted export; timers will retry'),
  );
  return {};
}

async function cleanUp(ctx: Context, { app_id: appId, id: cutId }: ExportRow): Promise<void> {
  await purgeBlobs(ctx);
  await ctx.source.dropCut({ appId, cutId });
}

function deleteInTransaction({ db }: Context, appId: string, id: string): Promise<ExportRow | undefined> {
  return db.tx(async (tx) => {
    const row = await deleteRow(tx, { appId, id });
    if (row?.type === ExportType.HISTORICAL && row.completed_at === null) {
      await deleteHistoricalRequest(tx, appId, id);
    }
    return row;
  });
}
