import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { deletePurgedBefore } from '../sql/ended-content.ts';
import { purgeMessagesDeletedBefore } from '../sql/content-message.ts';

const DAY_MS = 86_400_000;
/** A time longer than the delay of any event. */
const KEPT_MS = 30 * DAY_MS;
const BATCH = 5000;

/** Deletes the records of removed contents and deleted messages after a month. */
export async function forgetContent({ db, clock }: Context): Promise<void> {
  const time = clock.now() - KEPT_MS;
  await stepsApart([
    () => untilLess(BATCH, () => deletePurgedBefore(db, time, BATCH)),
    () => untilLess(BATCH, () => purgeMessagesDeletedBefore(db, time, BATCH)),
  ]);
}
