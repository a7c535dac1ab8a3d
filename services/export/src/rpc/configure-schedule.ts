import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';
import type { ConfigureScheduleRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { findExportKey } from '../sql/export-key.ts';
import { skipJournal, upsertSchedule } from '../sql/export-schedule.ts';
import { closeJournal, openJournal } from '../sql/journal.ts';
import { nextAtHour } from '../export/timing.ts';

/**
 * The first export covers events from now on. When the schedule is disabled, events that were not exported yet never are.
 * Problems: invalid_operation without a public key.
 */
export async function configureSchedule(ctx: Context, request: ConfigureScheduleRequest) {
  const now = ctx.clock.now();
  await ctx.db.tx((tx) => configure(tx, request, now));
  const { appId, interval } = request;
  if (interval === ExportInterval.DAILY) await ctx.interests.register({ appId, since: now });
  return {};
}

async function configure(tx: Tx, request: ConfigureScheduleRequest, now: number): Promise<void> {
  const { appId, interval, events, hourUtc } = request;
  const isDaily = interval === ExportInterval.DAILY;
  if (isDaily && !(await findExportKey(tx, appId))) {
    fail('invalid_operation', { message: 'A public key has to be registered before an export.' });
  }
  await upsertSchedule(tx, {
    appId,
    interval,
    events,
    hourUtc,
    nextExportAt: isDaily ? nextAtHour(now, hourUtc) : null,
  });
  if (isDaily) await openJournal(tx, appId, now);
  else await skipJournal(tx, appId, await closeJournal(tx, appId));
}
