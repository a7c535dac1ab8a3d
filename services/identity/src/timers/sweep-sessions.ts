import type { Context } from '../context.ts';
import { deleteDeadSessions } from '../sql/session.ts';

const BATCH = 5000;

/** Deletes expired sessions and those of deleted applications to free space; they are refused already. */
export async function sweepSessions({ db, clock }: Context): Promise<void> {
  while ((await deleteDeadSessions(db, clock.now(), BATCH)) === BATCH);
}
