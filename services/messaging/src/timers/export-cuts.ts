import type { Context } from '../context.ts';
import { deleteCutsBefore } from '../sql/transfer/export-cut.ts';

/** A time longer than an export is retried. Usually the export drops its cut itself. */
const KEPT_MS = 40 * 86_400_000;

export async function sweepExportCuts({ db, clock }: Context): Promise<void> {
  await deleteCutsBefore(db, clock.now() - KEPT_MS);
}
