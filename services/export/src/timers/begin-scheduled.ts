import { isOutage, type Tx } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import type { Context } from '../context.ts';
import { advanceSchedule, listDueSchedules, lockDueSchedule } from '../sql/export-schedule.ts';
import { insertExport } from '../sql/export.ts';
import { lockJournal } from '../sql/journal.ts';
import { nextAtHour } from '../export/timing.ts';

const PAGE_SIZE = 500;

/**
 * Begins the scheduled exports that are due. One export covers all days that passed while the service was down. Each
 * application has one schedule, so it waits for at most one short transaction of every other application. One that fails is
 * retried by the next run.
 */
export async function beginScheduled(ctx: Context): Promise<void> {
  for (let after: string | undefined = NIL_UUID; after !== undefined;) {
    const appIds: string[] = await listDueSchedules(ctx.db, {
      now: ctx.clock.now(),
      after,
      limit: PAGE_SIZE,
    });
    for (const appId of appIds) await tryToBegin(ctx, appId);
    after = appIds.at(-1);
  }
}

async function tryToBegin(ctx: Context, appId: string): Promise<void> {
  try {
    await ctx.db.tx((tx) => begin(ctx, tx, appId));
  } catch (error) {
    if (isOutage(error)) throw error;
    ctx.log.warn({ error, appId }, 'failed to begin scheduled export; will retry');
  }
}

/** The export covers the journal from the end of the previous export to the last entry. */
async function begin({ clock, newId }: Context, tx: Tx, appId: string): Promise<void> {
  const now = clock.now();
  const schedule = await lockDueSchedule(tx, appId, now);
  if (!schedule) return;
  const until = await lockJournal(tx, appId);
  const id = newId();
  const range = { after: schedule.exported_until, until, events: schedule.events };
  await insertExport(tx, { appId, id, type: ExportType.SCHEDULED, createdAt: now, range });
  await advanceSchedule(tx, {
    appId,
    at: now,
    exportId: id,
    nextExportAt: nextAtHour(now, schedule.hour_utc),
    exportedUntil: until,
  });
}
