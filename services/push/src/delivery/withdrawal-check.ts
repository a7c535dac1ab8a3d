import { createBatcher } from '@parley/kit/flow/batch';
import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { CheckPushesResponse_Result } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import type { AppCache } from '../app-cache.ts';
import type { Context } from '../context.ts';
import type { ClaimedWithdrawal } from '../sql/delivery-claim.ts';
import type { PushSettings } from '../sql/push-settings.ts';
import { listPhonesBeingSentTo, listShownPushes, type ShownPush } from '../sql/withdrawal.ts';
import { createAppBatchers, type AppBatchers } from './app-batchers.ts';
import { listTargets } from './check.ts';

/** Notifications to take away from a phone. */
export type CheckedWithdrawal = {
  /** Undefined: the phone has logged out. */
  token: PushToken | undefined;
  /** Newest first; those that were withdrawn before, too. */
  shown: readonly ShownPush[];
  /** Ids of those that the user has read, or has no use for any more. */
  unwanted: ReadonlySet<string>;
  /** Its push service is being sent another notification, which may be unwanted by the time that it is shown. */
  isSentTo: boolean;
  badge: number;
  settings: PushSettings;
};

/** Number of notifications that is more than a phone keeps. */
export const MAX_SHOWN = 100;

/** Phones of one pair of calls. */
const MAX_ITEMS = 16;
const MAX_PUSHES_PER_CALL = 500;

/** Asks messaging which notifications of phones are of no use any more, and identity for their tokens. */
export function createWithdrawalChecks(
  ctx: Context,
  settings: AppCache<PushSettings>,
): AppBatchers<ClaimedWithdrawal, CheckedWithdrawal> {
  return createAppBatchers((appId) =>
    createBatcher({
      maxItems: MAX_ITEMS,
      maxQueued: 10_000,
      run: async (phones) => checkPhones(ctx, await settings.of(appId), phones),
    }),
  );
}

async function checkPhones(
  ctx: Context,
  settings: PushSettings,
  phones: readonly ClaimedWithdrawal[],
): Promise<CheckedWithdrawal[]> {
  const appId = phones[0]!.app_id;
  const keys = phones.map(({ user_id: userId, device_id: deviceId }) => ({ appId, userId, deviceId }));
  // In this order, so that a push which is accepted in between is in one of them.
  const sentTo = await listPhonesBeingSentTo(ctx.db, keys);
  const shown = await listShownPushes(ctx.db, keys, MAX_SHOWN);
  const [targets, wanted] = await Promise.all([
    listTargets(ctx, appId, phones),
    checkShown(ctx, phones, shown),
  ]);
  return phones.map(({ user_id: userId, device_id: deviceId }, item) => {
    const target = targets.get(userId);
    const own = shown.filter((push) => push.item === item);
    return {
      token: target?.tokens.find((token) => token.deviceId === deviceId),
      shown: own,
      unwanted: new Set(
        own
          .filter((push) => !push.is_withdrawn && !wanted.get(keyOf(userId, push.message_id))?.isWanted)
          .map(({ id }) => id),
      ),
      isSentTo: sentTo.has(item),
      badge: (wanted.get(keyOf(userId))?.unreadMessageCount ?? 0) + (target?.externalUnreadCount ?? 0),
      settings,
    };
  });
}

/** Checks what is shown, by user and message, with the badge by user. */
async function checkShown(
  { notifications }: Context,
  phones: readonly ClaimedWithdrawal[],
  shown: readonly ShownPush[],
): Promise<Map<string, CheckPushesResponse_Result>> {
  const items = new Map(
    phones.map(({ user_id: userId }) => [keyOf(userId), { userId, conversationId: '', messageId: '' }]),
  );
  for (const { item, conversation_id: conversationId, message_id: messageId, is_withdrawn } of shown) {
    const userId = phones[item]!.user_id;
    if (!is_withdrawn) items.set(keyOf(userId, messageId), { userId, conversationId, messageId });
  }
  const asked = [...items];
  const found = new Map<string, CheckPushesResponse_Result>();
  for (let from = 0; from < asked.length; from += MAX_PUSHES_PER_CALL) {
    const some = asked.slice(from, from + MAX_PUSHES_PER_CALL);
    const request = { appId: phones[0]!.app_id, items: some.map(([, item]) => item) };
    const { results } = await notifications.checkPushes(request);
    some.forEach(([key], index) => found.set(key, results[index]!));
  }
  return found;
}

function keyOf(userId: string, messageId = ''): string {
  return `${messageId} ${userId}`;
}
