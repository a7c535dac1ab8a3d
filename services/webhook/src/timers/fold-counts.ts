import type { Context } from '../context.ts';
import { foldDeliveryCounts } from '../sql/delivery-count.ts';

/** Keeps the number of rows that count the deliveries of a webhook small. */
export async function foldCounts({ db }: Context): Promise<void> {
  await foldDeliveryCounts(db);
}
