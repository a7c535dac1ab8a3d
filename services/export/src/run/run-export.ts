import { ConnectError } from '@connectrpc/connect';
import type { Lock } from '@parley/kit/postgres';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import { writeArchive } from '../archive/write-archive.ts';
import { blobKey } from '../export/blob-key.ts';
import type { Context } from '../context.ts';
import { historicalDocument } from '../document/historical.ts';
import { scheduledDocument } from '../document/scheduled.ts';
import { insertExportBlob } from '../sql/export-blob.ts';
import { beginRun, completeRun, failRun, type ArchiveFields, type Run } from '../sql/export-run.ts';
import type { ExportRef, ExportRow } from '../sql/export.ts';
import { daysMs, retryDelay } from '../export/timing.ts';
import { failureReason } from './failure-reason.ts';
import { watchRun } from './watch-run.ts';

/**
 * Makes the archive of an export from its beginning, whatever an earlier run did. `lock`: of the only one who may run it.
 * What fails waits for its next run; a run that the service's stop ends stays due.
 */
export async function runExport(ctx: Context, ref: ExportRef, lock: Lock): Promise<void> {
  const run: Run = { ...ref, run_id: ctx.newId() };
  const row = await begin(ctx, run);
  if (!row) return;
  const watch = watchRun(ctx, run, lock);
  try {
    await complete(ctx, run, await writeRun(ctx, { run, row, signal: watch.signal }));
    ctx.log.info({ exportId: run.id, appId: run.app_id }, 'export completed');
  } catch (error) {
    if (watch.signal.aborted) ctx.log.info({ exportId: run.id, error }, 'run of an export ended');
    else await postpone(ctx, run, row, error);
  } finally {
    watch.stop();
  }
}

function begin({ db, clock }: Context, run: Run): Promise<ExportRow | undefined> {
  return db.tx(async (tx) => {
    const row = await beginRun(tx, run, clock.now());
    if (row) {
      const { app_id, id: export_id, run_id } = run;
      await insertExportBlob(tx, { key: blobKey(run), app_id, export_id, run_id });
    }
    return row;
  });
}

type RunInput = { run: Run; row: ExportRow; signal: AbortSignal };

function writeRun(ctx: Context, { run, row, signal }: RunInput): Promise<ArchiveFields> {
  const { public_key, padding } = row;
  if (public_key === null || padding === null) throw new ConnectError('the app has no public key any more');
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

async function complete(ctx: Context, run: Run, archive: ArchiveFields): Promise<void> {
  const { db, clock, config, source, blobs, log } = ctx;
  const now = clock.now();
  const isCurrent = await completeRun(db, run, archive, { now, expires: now + daysMs(config.ttlDays) });
  if (!isCurrent) await blobs.discard(blobKey(run));
  // A cut that is left goes with age.
  await source
    .dropCut({ appId: run.app_id, cutId: run.id })
    .catch((error: unknown) => log.warn({ error }, 'the cut of an export is left'));
}

async function postpone(ctx: Context, run: Run, { failures }: ExportRow, error: unknown): Promise<void> {
  const { db, log, clock } = ctx;
  log.warn({ error, exportId: run.id, appId: run.app_id }, 'run of an export failed');
  await failRun(db, run, { reason: failureReason(error), dueAt: clock.now() + retryDelay(failures) });
}
