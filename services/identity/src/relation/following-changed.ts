import { create, toBinary } from '@bufbuild/protobuf';
import { liveSubject, shardOf } from '@parley/domain/events';
import type { Tx } from '@parley/kit/postgres';
import { FollowingMovedSchema } from '@parley/proto/parley/live/v1/live_pb';
import type { Context } from '../context.ts';
import { moveFollowingStamps } from '../sql/following.ts';

const MOST_IN_MESSAGE = 500;

/**
 * Marks the lists of whom these users follow as changed, and tells their gateways once the transaction is committed: sockets
 * that subscribed to everybody followed hear of the present ones. It is told again a second later.
 */
export async function moveFollowing(
  ctx: Context,
  tx: Tx,
  appId: string,
  userIds: readonly string[],
): Promise<void> {
  await moveFollowingStamps(tx, appId, userIds);
  tx.afterCommit(() => tell(ctx, appId, userIds));
}

function tell({ bus, rebroadcast, config }: Context, appId: string, userIds: readonly string[]): void {
  const byShard = Map.groupBy(userIds, (userId) => shardOf(userId, config.liveShards));
  for (const [shard, some] of byShard) {
    const subject = liveSubject(appId, shard, 'following');
    for (let first = 0; first < some.length; first += MOST_IN_MESSAGE) {
      const moved = create(FollowingMovedSchema, { userIds: some.slice(first, first + MOST_IN_MESSAGE) });
      const payload = toBinary(FollowingMovedSchema, moved);
      bus.publishLive(subject, payload);
      rebroadcast.add(subject, payload);
    }
  }
}
