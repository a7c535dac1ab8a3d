import type { Notice } from '@parley/domain/json/webhook-body';
import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { insertDeliveries } from '../sql/delivery.ts';
import { listErasedSubjects } from '../sql/erasure.ts';
import { subjectOf } from '../sql/notice-subject.ts';
import { insertNotices } from '../sql/notice.ts';

/** `traceparent`: of the request that led to the event, if that is traced. */
export type AddressedNotice = {
  notice: Notice;
  webhookIds: readonly string[];
  traceparent?: string | null | undefined;
};

/** Stores notices with a delivery to each webhook, except notices about erased users. Returns the number of deliveries. */
export async function recordNotices(
  ctx: Context,
  tx: Tx,
  notices: readonly AddressedNotice[],
): Promise<number> {
  await holdOffErasures(
    tx,
    notices.map(({ notice: { event } }) => event.appId),
  );
  const subjects = notices.map(({ notice: { event } }) => {
    const { userId, incarnation } = subjectOf(event) ?? {};
    return userId === undefined ? undefined : { appId: event.appId, userId, incarnation: incarnation ?? 0 };
  });
  const erased = await listErasedSubjects(tx, subjects);
  const kept = notices.filter((_, index) => !erased.has(index));
  const deliveries = kept.flatMap(({ notice: { event }, webhookIds }) =>
    webhookIds.map((webhookId) => ({ appId: event.appId, webhookId, id: ctx.newId(), noticeId: event.id })),
  );
  await insertNotices(
    tx,
    kept.map(({ notice, traceparent }) => ({ ...notice, traceparent })),
  );
  await insertDeliveries(tx, deliveries, ctx.clock.now());
  return deliveries.length;
}
