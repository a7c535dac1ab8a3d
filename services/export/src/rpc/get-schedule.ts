import { create } from '@parley/codec';
import { ExportInterval, ExportSettingsSchema } from '@parley/proto/parley/export/v1/export_pb';
import type { GetScheduleRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { findSchedule } from '../sql/export-schedule.ts';

/** The schedule's settings; disabled for an application that never configured one. */
export async function getSchedule({ db }: Context, { appId }: GetScheduleRequest) {
  const row = await findSchedule(db, appId);
  const settings = create(ExportSettingsSchema, { interval: row?.interval ?? ExportInterval.DISABLED });
  if (row?.last_export_at != null) settings.lastExportAt = row.last_export_at;
  if (row?.last_export_id != null) settings.lastExportId = row.last_export_id;
  if (row?.next_export_at != null) settings.nextExportAt = row.next_export_at;
  return { settings };
}
