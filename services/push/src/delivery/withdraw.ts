import { createAttempts, type Attempts } from '@parley/outbound/deliveries';
import { retryDelay } from '@parley/outbound/turns/retry-schedule';
import type { AppCache } from '../app-cache.ts';
import { withdrawnIds } from '../content/withdrawal.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../provider/outcome.ts';
import type { ClaimedWithdrawal } from '../sql/delivery-claim.ts';
import type { PushSettings } from '../sql/push-settings.ts';
import { settleWithdrawals, type WithdrawalResult } from '../sql/withdrawal.ts';
import type { AppBatchers } from './app-batchers.ts';
import { unregister } from './attempt.ts';
import type { Sender } from './send.ts';
import { createWithdrawalChecks, MAX_SHOWN, type CheckedWithdrawal } from './withdrawal-check.ts';

/** Delays before the second, third and fourth attempt. docs/protocol/messages.md#withdrawn-notifications */
const DELAYS_MS = [2_000, 10_000, 30_000];
const POSTPONED_MS = 2_000;
/** A phone that is away longer may show what was read elsewhere. */
const TTL_SECONDS = 86_400;

type Parts = { sender: Sender; checks: AppBatchers<ClaimedWithdrawal, CheckedWithdrawal> };
type Done = Pick<WithdrawalResult, 'retryAt' | 'isAttempt' | 'withdrawn' | 'olderThan'> & { outcome: string };

/** Sends withdrawals: check, send, settle. They fail without a trace but their metric. */
export function createWithdrawals(
  ctx: Context,
  { worker, sender, settings }: { worker: string; sender: Sender; settings: AppCache<PushSettings> },
): Attempts<ClaimedWithdrawal> {
  const { db, metrics, clock } = ctx;
  const parts = { sender, checks: createWithdrawalChecks(ctx, settings) };
  const total = metrics.counter({
    name: 'push_withdrawals_total',
    help: 'Attempts to take notifications away from phones, by provider and outcome',
    labelNames: ['provider', 'outcome'],
  });
  return createAttempts<ClaimedWithdrawal, WithdrawalResult>(ctx, {
    what: 'push',
    async attempt(phone) {
      const { outcome, ...done } = await withdraw(ctx, parts, phone);
      total.inc({ provider: phone.provider, outcome });
      return { result: { ...keyOf(phone), ...done }, quick: outcome !== 'failed' && outcome !== 'postponed' };
    },
    settle: (results) => settleWithdrawals(db, { worker, at: clock.now() }, results),
    settledAtOnce: 64,
    stop: () => parts.checks.stop(),
  });
}

async function withdraw(ctx: Context, { checks, sender }: Parts, phone: ClaimedWithdrawal): Promise<Done> {
  const now = ctx.clock.now();
  if (phone.expires_at <= now) return over('expired');
  try {
    const checked = await checks.add(phone);
    const { token, shown, unwanted, badge, settings, isSentTo } = checked;
    // Pushes that a slow push service may still accept are checked again later.
    const again = isSentTo ? { retryAt: now + POSTPONED_MS } : {};
    const olderThan = shown.length < MAX_SHOWN ? undefined : shown.at(-1)?.id;
    const gone = { withdrawn: shown.filter(({ id }) => unwanted.has(id)).map(toKey), olderThan };
    if (unwanted.size === 0) return { ...over(isSentTo ? 'deferred' : 'needless'), olderThan, ...again };
    if (!token) return { ...over('unregistered'), ...gone };
    const collapsesConversation = settings.collapseByConversation;
    const ids = withdrawnIds(ctx.wire, { shown, unwanted, collapsesConversation });
    const push = { appId: phone.app_id, token, withdrawal: { ids, badge }, ttl: TTL_SECONDS };
    const outcome = await sender.withdraw(push);
    if (outcome.kind === 'gone') await unregister(ctx, phone, token.token);
    return outcome.kind === 'failed'
      ? retry(ctx, phone, outcome)
      : { ...over(outcome.kind), ...gone, ...again };
  } catch (error) {
    const { app_id: appId, id: deliveryId } = phone;
    ctx.log.warn({ error, appId, deliveryId }, 'failed to prepare withdrawal of notifications; postponed');
    return { ...over('postponed'), retryAt: ctx.clock.now() + POSTPONED_MS };
  }
}

function over(outcome: string): Done {
  return { outcome, retryAt: undefined, isAttempt: false, withdrawn: [], olderThan: undefined };
}

function retry(
  { clock, random }: Context,
  { attempts, expires_at: expiresAt }: ClaimedWithdrawal,
  { kind, retryAfterMs = 0 }: Outcome & { kind: 'failed' },
): Done {
  const delay = retryDelay(DELAYS_MS, { attempts: attempts + 1, random: random(), retryAfterMs });
  const retryAt = clock.now() + (delay ?? Infinity);
  return { ...over(kind), isAttempt: true, retryAt: retryAt < expiresAt ? retryAt : undefined };
}

function keyOf(phone: ClaimedWithdrawal) {
  const { app_id: appId, target_id: targetId, id, user_id: userId, device_id: deviceId } = phone;
  return { appId, targetId, id, userId, deviceId, version: phone.withdrawal_version };
}

function toKey({ target_id: targetId, id }: { target_id: string; id: string }) {
  return { targetId, id };
}
