import { fail } from '@parley/domain/problems';
import { currentContext } from '@parley/kit/request-context';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import type { RequestExportRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { toExport } from '../export/view.ts';
import { findExport, insertExport, type ExportRow } from '../sql/export.ts';
import { findExportKey } from '../sql/export-key.ts';
import { claimHistoricalRequest } from '../sql/historical-request.ts';
import { HISTORICAL_INTERVAL_MS } from '../export/timing.ts';

/** How long the caller may wait for the cut; where that is not enough, the run makes it. */
const CUT_TIMEOUT_MS = 3000;

/** What is there when this answers is in the archive, what comes later is not. SPEC completions 8 */
export async function requestExport(ctx: Context, { appId }: RequestExportRequest) {
  const row = await insertRequest(ctx, appId);
  if (row.completed_at === null) await fixCut(ctx, row);
  return { export: await toExport(ctx, row) };
}

/** A repeated request finds the export that it made, by the operation's id. */
function insertRequest({ db, clock, newId }: Context, appId: string): Promise<ExportRow> {
  const id = currentContext()?.operationId ?? newId();
  const now = clock.now();
  return db.tx(async (tx) => {
    if (!(await findExportKey(tx, appId))) {
      return fail('invalid_operation', { message: 'A public key has to be registered before an export.' });
    }
    const request = { app_id: appId, export_id: id, at: now, since: now - HISTORICAL_INTERVAL_MS };
    if (!(await claimHistoricalRequest(tx, request))) {
      const existing = await findExport(tx, { app_id: appId, id });
      if (existing) return existing;
      return fail('invalid_operation', { message: 'One historical export may be requested in 24 hours.' });
    }
    return insertExport(tx, { app_id: appId, id, type: ExportType.HISTORICAL, created_at: now });
  });
}

async function fixCut({ source, log }: Context, { app_id: appId, id: cutId }: ExportRow): Promise<void> {
  try {
    await source.fixCut({ appId, cutId }, { timeoutMs: CUT_TIMEOUT_MS });
  } catch (error) {
    log.warn({ error, exportId: cutId }, 'the cut of an export is left to its run');
  }
}
