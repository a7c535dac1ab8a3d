import { create, toBinary } from '@parley/codec';
import { liveSubject, shardOf } from '@parley/domain/events';
import type { Tx } from '@parley/kit/postgres';
import { FollowingMovedSchema } from '@parley/proto/parley/live/v1/live_pb';
import type { Context } from '../context.ts';
import { advanceFollowingStamps } from '../sql/following.ts';

const MAX_USERS_PER_MESSAGE = 500;

/**
 * Marks the following lists of these users as changed, and notifies their gateways after the commit, so that sockets
 * subscribed to all followed users get the new list. The notification is rebroadcast.
 */
export async function markFollowingChanged(
  ctx: Context,
  tx: Tx,
  appId: string,
  userIds: readonly string[],
): Promise<void> {
  await advanceFollowingStamps(tx, appId, userIds);
  tx.afterCommit(() => notifyGateways(ctx, appId, userIds), 'same');
}

function notifyGateways(
  { bus, rebroadcast, config }: Context,
  appId: string,
  userIds: readonly string[],
): void {
  const byShard = Map.groupBy(userIds, (userId) => shardOf(userId, config.liveShards));
  for (const [shard, shardUserIds] of byShard) {
    const subject = liveSubject(appId, shard, 'following');
    for (let first = 0; first < shardUserIds.length; first += MAX_USERS_PER_MESSAGE) {
      const moved = create(FollowingMovedSchema, {
        userIds: shardUserIds.slice(first, first + MAX_USERS_PER_MESSAGE),
      });
      const payload = toBinary(FollowingMovedSchema, moved);
      bus.publishLive(subject, payload);
      rebroadcast.add(subject, payload);
    }
  }
}
