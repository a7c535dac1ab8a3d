import { Code, ConnectError } from '@connectrpc/connect';
import { createBatcher, type Batcher } from '@parley/kit/flow/batch';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { PushTarget } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { CheckPushesResponse_Result } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import type { AppCache } from '../app-cache.ts';
import type { Context } from '../context.ts';
import type { PushSettings } from '../sql/push-settings.ts';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import { createAppBatchers } from './app-batchers.ts';

/** Whether a push is still to be sent: with the device's present token and what waits for the user now; `incarnation`: of the user. */
export type Checked =
  | { isWanted: true; token: PushToken; badge: number; incarnation: number; settings: PushSettings }
  | { isWanted: false; reason: 'unregistered' | 'read' | 'connected' };

/** Asks identity and messaging about deliveries before each attempt. */
export type Checks = {
  /** Rejects when a service cannot be asked. */
  check(delivery: ClaimedDelivery): Promise<Checked>;
  stop(): Promise<void>;
};

/** Deliveries of one pair of calls. */
const MAX_ITEMS = 128;

export function createChecks(ctx: Context, settings: AppCache<PushSettings>): Checks {
  const batchers = createAppBatchers((appId) => createAppBatcher(ctx, settings, appId));
  return { check: (delivery) => batchers.add(delivery), stop: () => batchers.stop() };
}

function createAppBatcher(
  ctx: Context,
  settings: AppCache<PushSettings>,
  appId: string,
): Batcher<ClaimedDelivery, Checked> {
  return createBatcher({
    maxItems: MAX_ITEMS,
    maxQueued: 10_000,
    async run(deliveries) {
      const [targets, results, own] = await Promise.all([
        listTargets(ctx, appId, deliveries),
        checkMessages(ctx, appId, deliveries),
        settings.of(appId),
      ]);
      return deliveries.map((delivery, index) =>
        toChecked(delivery, { target: targets.get(delivery.user_id), result: results[index], settings: own }),
      );
    },
  });
}

/** The devices of users, by user id. Rejects when identity cannot be asked. */
export async function listTargets(
  { pushTokens }: Context,
  appId: string,
  deliveries: readonly { user_id: string }[],
): Promise<Map<string, PushTarget>> {
  const userIds = [...new Set(deliveries.map(({ user_id }) => user_id))];
  const targets = await callInHalves(userIds, async (some) => {
    return (await pushTokens.listPushTargets({ appId, userIds: some })).targets;
  });
  return new Map(targets.map((target) => [target.userId, target]));
}

async function checkMessages(
  { notifications }: Context,
  appId: string,
  deliveries: readonly ClaimedDelivery[],
) {
  const items = deliveries.map(({ user_id, conversation_id, message_id }) => ({
    userId: user_id,
    conversationId: conversation_id ?? '',
    messageId: message_id ?? '',
  }));
  const { results } = await notifications.checkPushes({ appId, items });
  return results;
}

type Known = {
  target: PushTarget | undefined;
  result: CheckPushesResponse_Result | undefined;
  settings: PushSettings;
};

function toChecked({ device_id }: ClaimedDelivery, { target, result, settings }: Known): Checked {
  if (!result) throw new ConnectError('messaging returned no result', Code.Unavailable);
  const token = target?.tokens.find(({ deviceId }) => deviceId === device_id);
  if (!target || !token) return { isWanted: false, reason: 'unregistered' };
  if (!result.isWanted) return { isWanted: false, reason: 'read' };
  if (settings.skipConnectedUsers && target.connected) return { isWanted: false, reason: 'connected' };
  const badge = result.unreadMessageCount + target.externalUnreadCount;
  return { isWanted: true, token, badge, incarnation: target.incarnation, settings };
}
