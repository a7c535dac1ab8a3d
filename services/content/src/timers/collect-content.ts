import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { collectUnreferenced, expireUploads } from '../sql/ended-content.ts';
import { UPLOAD_LIFETIME_MS } from '../upload/address.ts';

const BATCH = 500;
const DAY_MS = 86_400_000;

/** Ends uploads after seven days, and contents that no message refers to after one day. */
export async function collectContent({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  const createdBefore = now - UPLOAD_LIFETIME_MS;
  await stepsApart([
    () => untilLess(BATCH, () => expireUploads(db, { now, createdBefore, limit: BATCH })),
    () => untilLess(BATCH, () => collectUnreferenced(db, { now, since: now - DAY_MS, limit: BATCH })),
  ]);
}
