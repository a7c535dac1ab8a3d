import { Code, ConnectError } from '@connectrpc/connect';
import { setTimeout as delay } from 'node:timers/promises';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { currentContext } from '@parley/kit/request-context';
import type { Context } from '../context.ts';
import { readAppLog } from '../replay/refill.ts';
import {
  areEarlierTransactionsOver,
  setFilled,
  upsertInterest,
  type InterestKey,
} from '../sql/log/event-interest.ts';
import { isForInterestedOnly } from './stored-events.ts';

const POLL_MS = 5;
/** Clocks differ: an event may be a little older than the time from which it is awaited. */
const CLOCK_SKEW_MS = 1_000;
/** Longer than any transaction of this service. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Registers that a consumer awaits an application's events. Transactions that could not see that yet are waited for; what they
 * and earlier ones changed since `since` is published from the change log. So no event is missed; one that was published before is
 * ignored by its consumers, which know its id.
 */
export async function registerInterest(ctx: Context, key: InterestKey, since: number): Promise<void> {
  const { version, fill_since } = await upsertInterest(ctx.db, key, since - CLOCK_SKEW_MS);
  if (fill_since === null) return;
  await untilVisible(ctx, version);
  for await (const events of readAppLog(ctx, key.appId, Date.parse(fill_since))) {
    const messages = durableMessages(events.filter(isForInterestedOnly));
    await Promise.all(
      messages.map(({ subject, payload }) => ctx.bus.publish(subject, payload, { msgId: ctx.newId() })),
    );
  }
  await setFilled(ctx.db, key, fill_since);
}

/** Resolves when every transaction sees the registration. */
async function untilVisible({ db }: Context, version: string): Promise<void> {
  const end = Math.min(Date.now() + LONGEST_WAIT_MS, currentContext()?.deadline ?? Infinity);
  while (!(await areEarlierTransactionsOver(db, version))) {
    if (Date.now() > end)
      throw new ConnectError('transactions of before are still running', Code.Unavailable);
    await delay(POLL_MS);
  }
}
