import type { Context } from '../context.ts';
import { deleteAuditEntriesBefore } from '../sql/audit-entry.ts';

const BATCH = 1000;
const DAY_MS = 86_400_000;

/** Deletes entries of the audit log that are older than the setting says. docs/console.md#the-audit-log */
export async function sweepAudit({ db, clock, config }: Context): Promise<void> {
  const before = clock.now() - config.auditDays * DAY_MS;
  while ((await deleteAuditEntriesBefore(db, before, BATCH)) === BATCH);
}
