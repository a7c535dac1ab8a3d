import type { Context } from '../context.ts';
import { foldDeliveryCounts } from '../sql/delivery-count.ts';

/** Keeps the number of rows that hold a webhook's counts small. */
export async function foldCounts({ db }: Context): Promise<void> {
  await foldDeliveryCounts(db);
}
