import { fail } from '@parley/domain/problems';
import { currentContext } from '@parley/kit/runtime/request-context';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import type { RequestExportRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { toExport } from '../export/view.ts';
import { findExport, insertExport, type ExportRow } from '../sql/export.ts';
import { findExportKey } from '../sql/export-key.ts';
import { claimHistoricalRequest } from '../sql/historical-request.ts';
import { HISTORICAL_INTERVAL_MS } from '../export/timing.ts';

/** How long the caller waits for the cut. If that is too short, the run fixes it. */
const CUT_TIMEOUT_MS = 3000;

/**
 * The archive will hold everything stored before the response, and nothing later.
 * docs/protocol/exports.md#historical-exports
 */
export async function requestExport(ctx: Context, { appId }: RequestExportRequest) {
  const row = await insertRequest(ctx, appId);
  if (row.completed_at === null) await fixCut(ctx, row);
  return { export: await toExport(ctx, row) };
}

/** A repeated request finds its export by the operation's id. Problems: invalid_operation. */
function insertRequest({ db, clock, newId }: Context, appId: string): Promise<ExportRow> {
  const id = currentContext()?.operationId ?? newId();
  const now = clock.now();
  return db.tx(async (tx) => {
    if (!(await findExportKey(tx, appId))) {
      return fail('invalid_operation', { message: 'A public key has to be registered before an export.' });
    }
    const request = { appId, exportId: id, at: now, since: now - HISTORICAL_INTERVAL_MS };
    if (!(await claimHistoricalRequest(tx, request))) {
      const existing = await findExport(tx, { appId, id });
      if (existing) return existing;
      return fail('invalid_operation', { message: 'One historical export may be requested in 24 hours.' });
    }
    return insertExport(tx, { appId, id, type: ExportType.HISTORICAL, createdAt: now });
  });
}

async function fixCut({ source, log }: Context, { app_id: appId, id: cutId }: ExportRow): Promise<void> {
  try {
    await source.fixCut({ appId, cutId }, { timeoutMs: CUT_TIMEOUT_MS });
  } catch (error) {
    log.warn({ error, appId, exportId: cutId }, 'failed to fix export cut; the run will retry');
  }
}
