import { fromBinary } from '@parley/codec';
import { WITHDRAWAL_HINTS } from '@parley/domain/events';
import { isUuid } from '@parley/domain/ids';
import { createBatcher } from '@parley/kit/flow/batch';
import type { Stopper } from '@parley/kit/runtime/process';
import { WithdrawalHintsSchema, type WithdrawalHint } from '@parley/proto/parley/live/v1/live_pb';
import type { Context } from '../context.ts';
import { insertWithdrawals } from '../sql/withdrawal.ts';
import { createWaitingHints } from './waiting-hints.ts';

/** Messages that a user reads within this time are one withdrawal for each phone. Milliseconds. */
const LINGER_MS = 2_000;
/** A withdrawal that has not been sent by then is given up. */
const KEPT_MS = 600_000;
const MAX_WAITING = 20_000;
const GROUP = 'push';

/** Takes messaging's hints that pushed messages were read. One that is lost, or cannot be stored, is made up for by the next of its conversation. */
export function startWithdrawalHints(ctx: Context, stopper: Stopper): void {
  const { bus, db, clock, log } = ctx;
  const waiting = createWaitingHints(MAX_WAITING);
  const storing = createBatcher<WithdrawalHint, void>({
    maxItems: 1_000,
    maxQueued: MAX_WAITING,
    // What is deleted in large conversations does not delay what single users have read.
    lanes: 2,
    laneOf: ({ userId }) => (userId === '' ? 1 : 0),
    async run(hints) {
      const now = clock.now();
      const times = { now, dueAt: now + LINGER_MS, expiresAt: now + KEPT_MS };
      await insertWithdrawals(db, hints, times).catch((error: unknown) => {
        log.warn({ error, hints: hints.length }, 'failed to store withdrawals of notifications; dropped');
      });
      return hints.map(() => undefined);
    },
  });
  stopper.add('hints of withdrawals', () => storing.stop());
  const subscription = bus.subscribeLive(
    WITHDRAWAL_HINTS,
    (payload) => {
      for (const hint of fromBinary(WithdrawalHintsSchema, payload).hints) {
        if (!isUuid(hint.appId) || !isUuid(hint.conversationId)) continue;
        // One of an application with too many is dropped.
        if (!waiting.begin(hint.appId)) continue;
        const ended = (): void => waiting.end(hint.appId);
        // Refused only when the process stops.
        storing.add(hint).then(ended, ended);
      }
    },
    { group: GROUP },
  );
  stopper.add('subscription to hints of withdrawals', async () => subscription.close());
}
