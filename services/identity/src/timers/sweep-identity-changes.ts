import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import { oldestKept } from '@parley/domain/events/log-age';
import type { Context } from '../context.ts';
import { deleteDeparturesBefore } from '../sql/departure.ts';
import { deleteIdentityChangesBefore } from '../sql/identity-change.ts';

/** Clocks of replicas may differ, and a replay looks a little further back than it is asked to. */
const MARGIN_MS = 3_600_000;
const BATCH = 5000;

/** Deletes changes that are older than replays reach back. */
export async function sweepIdentityChanges({ db, clock }: Context): Promise<void> {
  const before = oldestKept(clock.now()) - MARGIN_MS;
  await stepsApart([
    () => untilLess(BATCH, () => deleteIdentityChangesBefore(db, before, BATCH)),
    () => untilLess(BATCH, () => deleteDeparturesBefore(db, before, BATCH)),
  ]);
}
