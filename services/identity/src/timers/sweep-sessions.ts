import type { Context } from '../context.ts';
import { deleteDeadSessions } from '../sql/session.ts';

const BATCH = 5000;

/** Expired sessions, and those of deleted apps, are refused already; this only makes room. */
export async function sweepSessions({ db, clock }: Context): Promise<void> {
  while ((await deleteDeadSessions(db, clock.now(), BATCH)) === BATCH);
}
