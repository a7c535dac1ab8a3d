import { ConnectError } from '@connectrpc/connect';
import type { Lock } from '@parley/kit/postgres';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import { writeArchive } from '../archive/write-archive.ts';
import type { Context } from '../context.ts';
import { historicalDocument } from '../document/historical.ts';
import { scheduledDocument } from '../document/scheduled.ts';
import { blobKey, type RunKey } from '../export/blob-key.ts';
import { daysMs, retryDelay } from '../export/timing.ts';
import { insertExportBlob } from '../sql/export-blob.ts';
import { beginRun, completeRun, failRun, type ArchiveFields } from '../sql/export-run.ts';
import type { ExportKey, ExportRow } from '../sql/export.ts';
import { failureReason } from './failure-reason.ts';
import { watchRun } from './watch-run.ts';

/**
 * Writes the archive of an export from the beginning, regardless of earlier runs. `lock`: the application's, which the caller
 * holds. After a failure the next run is due later; an export whose run is ended by the service's stop stays due.
 */
export async function runExport(ctx: Context, { appId, id }: ExportKey, lock: Lock): Promise<void> {
  const run: RunKey = { appId, id, runId: ctx.newId() };
  const row = await begin(ctx, run);
  if (!row) return;
  const watch = watchRun(ctx, run, lock);
  try {
    await complete(ctx, run, await writeRun(ctx, { run, row, signal: watch.signal }));
    ctx.log.info({ appId, exportId: id }, 'export completed');
  } catch (error) {
    if (watch.signal.aborted) ctx.log.info({ error, appId, exportId: id }, 'export run was aborted');
    else await postpone(ctx, run, row, error);
  } finally {
    watch.stop();
  }
}

function begin({ db, clock }: Context, run: RunKey): Promise<ExportRow | undefined> {
  return db.tx(async (tx) => {
    const row = await beginRun(tx, run, clock.now());
    if (row) {
      const { appId, id: exportId, runId } = run;
      await insertExportBlob(tx, { key: blobKey(run), appId, exportId, runId });
    }
    return row;
  });
}

type RunInput = { run: RunKey; row: ExportRow; signal: AbortSignal };

function writeRun(ctx: Context, { run, row, signal }: RunInput): Promise<ArchiveFields> {
  const { public_key, padding } = row;
  if (public_key === null || padding === null) throw new ConnectError('the app no longer has a public key');
  const document = row.type === ExportType.SCHEDULED ? scheduledDocument : historicalDocument;
  return writeArchive({
    json: document(ctx, row, signal),
    exportKey: { publicKey: public_key, padding },
    spoolFolder: ctx.config.spoolFolder,
    blobs: ctx.blobs,
    blobKey: blobKey(run),
    time: row.created_at,
    signal,
  });
}

async function complete(ctx: Context, run: RunKey, archive: ArchiveFields): Promise<void> {
  const { db, clock, config, source, blobs, log } = ctx;
  const { appId, id } = run;
  const now = clock.now();
  const isCurrent = await completeRun(db, run, archive, { now, expires: now + daysMs(config.ttlDays) });
  if (!isCurrent) await blobs.discard(blobKey(run));
  await source
    .dropCut({ appId, cutId: id })
    .catch((error: unknown) =>
      log.warn({ error, appId, exportId: id }, 'failed to drop export cut; messaging will drop it by age'),
    );
}

async function postpone(ctx: Context, run: RunKey, { failures }: ExportRow, error: unknown): Promise<void> {
  const { db, log, clock } = ctx;
  log.warn({ error, appId: run.appId, exportId: run.id }, 'export run failed; will retry');
  await failRun(db, run, { reason: failureReason(error), dueAt: clock.now() + retryDelay(failures) });
}
