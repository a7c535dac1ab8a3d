import { isOutage, type Tx } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/nil-uuid';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import type { Context } from '../context.ts';
import { advanceSchedule, listDueSchedules, lockDueSchedule } from '../sql/export-schedule.ts';
import { insertExport } from '../sql/export.ts';
import { lockJournal } from '../sql/journal.ts';
import { nextAtHour } from '../export/timing.ts';

const PAGE_SIZE = 500;

/**
 * Begins the scheduled exports that are due. Days that passed while the service was down are covered by one export. Each
 * application has one schedule, so it waits for at most one short transaction of every other application; one that fails is
 * tried again by the next run.
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
    ctx.log.warn({ error, appId }, 'a scheduled export could not be begun; it is tried again');
  }
}

/** From after the last entry of the export before to the last entry there is. */
async function begin({ clock, newId }: Context, tx: Tx, appId: string): Promise<void> {
  const now = clock.now();
  const schedule = await lockDueSchedule(tx, appId, now);
  if (!schedule) return;
  const { app_id, hour_utc, events, exported_until } = schedule;
  const last_number = await lockJournal(tx, app_id);
  const id = newId();
  const range = { after_number: exported_until, last_number, events };
  await insertExport(tx, { app_id, id, type: ExportType.SCHEDULED, created_at: now, range });
  await advanceSchedule(tx, {
    app_id,
    at: now,
    export_id: id,
    next_export_at: nextAtHour(now, hour_utc),
    exported_until: last_number,
  });
}
