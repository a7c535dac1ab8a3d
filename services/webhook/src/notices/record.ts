import type { Notice } from '@parley/domain/json/webhook-body';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertDeliveries } from '../sql/delivery.ts';
import { insertNotices } from '../sql/notice.ts';

export type OwedNotice = { notice: Notice; webhookIds: readonly string[] };

/** Returns how many deliveries these are. */
export async function recordNotices(ctx: Context, tx: Tx, owed: readonly OwedNotice[]): Promise<number> {
  const deliveries = owed.flatMap(({ notice: { event }, webhookIds }) =>
    webhookIds.map((webhookId) => ({ appId: event.appId, webhookId, id: ctx.newId(), noticeId: event.id })),
  );
  await insertNotices(
    tx,
    owed.map(({ notice }) => notice),
  );
  await insertDeliveries(tx, deliveries, ctx.clock.now());
  return deliveries.length;
}
