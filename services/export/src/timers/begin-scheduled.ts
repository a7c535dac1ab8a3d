import type { Tx } from '@parley/kit/postgres';
import { ExportType } from '@parley/proto/parley/export/v1/export_pb';
import type { Context } from '../context.ts';
import { advanceSchedule, lockDueSchedule } from '../sql/export-schedule.ts';
import { insertExport } from '../sql/export.ts';
import { lockJournal } from '../sql/journal.ts';
import { nextAtHour } from '../timing.ts';

/** Begins the exports whose time has come; days on which nobody was there to do it are made up for by one. */
export async function beginScheduled(ctx: Context): Promise<void> {
  while (await ctx.db.tx((tx) => beginOne(ctx, tx)));
}

/** From after the last entry of the export before to the last entry there is. False: none is due. */
async function beginOne({ clock, newId }: Context, tx: Tx): Promise<boolean> {
  const now = clock.now();
  const schedule = await lockDueSchedule(tx, now);
  if (!schedule) return false;
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
  return true;
}
