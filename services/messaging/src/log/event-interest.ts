import { Code, ConnectError } from '@connectrpc/connect';
import { setTimeout as delay } from 'node:timers/promises';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import { publishAgain } from '@parley/kit/durable/lost-events/republish';
import { currentContext } from '@parley/kit/runtime/request-context';
import type { Context } from '../context.ts';
import { readAppLog } from '../replay/logged-events.ts';
import {
  areEarlierTransactionsOver,
  takeTransactionId,
  setFilled,
  upsertInterest,
  type InterestKey,
} from '../sql/log/event-interest.ts';
import { isForInterestedOnly } from './stored-events.ts';

const POLL_MS = 5;
/** A time longer than any transaction of this service. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Registers that a consumer awaits an application's events, and waits until no transaction runs that cannot see this. What such
 * transactions and earlier ones changed from `since` on is then published from the change log. So no event is missed, and one
 * that was published before is ignored by its consumers, which know its id.
 */
export async function registerInterest(ctx: Context, key: InterestKey, since: number): Promise<void> {
  const { fill_since, fill_since_ms } = await upsertInterest(ctx.db, key, since - CLOCK_SKEW_MS);
  if (fill_since === null || fill_since_ms === null) return;
  await untilVisible(ctx);
  for await (const events of readAppLog(ctx, key.appId, fill_since_ms)) {
    const wanted = durableMessages(events.filter(isForInterestedOnly));
    await publishAgain(ctx, wanted, fill_since_ms);
  }
  await setFilled(ctx.db, key, fill_since);
}

/**
 * Resolves when every transaction sees the registration, which is committed. A transaction that does not see it looked before the
 * commit, and had its id by then.
 */
async function untilVisible({ db }: Context): Promise<void> {
  const horizon = await takeTransactionId(db);
  const end = Math.min(performance.now() + LONGEST_WAIT_MS, currentContext()?.deadline ?? Infinity);
  while (!(await areEarlierTransactionsOver(db, horizon))) {
    if (performance.now() > end)
      throw new ConnectError('transactions that began earlier are still running', Code.Unavailable);
    await delay(POLL_MS);
  }
}
