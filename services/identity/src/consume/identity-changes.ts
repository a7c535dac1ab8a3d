import { create, toBinary } from '@bufbuild/protobuf';
import { liveSubject, shardOf } from '@parley/domain/events';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { listFollowers } from '../sql/following.ts';

/** Followers that are looked up at once, and those that one message names. */
const PAGE = 10_000;
const MOST_NAMED = 500;

/**
 * Tells the gateways of those who follow a user that the user's identity changed. Who follows is worked out from
 * memberships, in pages; nothing is written for a follower. It is told twice, so that a gateway notices what it lost and
 * asks the log of changes.
 */
export function consumeIdentityChanges(ctx: Context): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'identity-followers',
    filter: 'event.*.identity.changed',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    prepare: async (event) => {
      await tellFollowers(ctx, event);
      return async () => undefined;
    },
  });
}

async function tellFollowers(ctx: Context, event: Event): Promise<void> {
  if (event.body.case !== 'identityChanged' || !event.body.value.identity) return;
  const { appId } = event;
  const { userId } = event.body.value.identity;
  for (let afterUserId = ''; ;) {
    const followers = await listFollowers(ctx.db, { appId, userId, afterUserId, limit: PAGE });
    publish(ctx, event, followers);
    const last = followers.at(-1);
    if (last === undefined || followers.length < PAGE) return;
    afterUserId = last;
  }
}

function publish({ bus, retelling, config }: Context, event: Event, followers: readonly string[]): void {
  const byShard = Map.groupBy(followers, (userId) => shardOf(userId, config.liveShards));
  for (const [shard, userIds] of byShard) {
    for (let first = 0; first < userIds.length; first += MOST_NAMED) {
      const told = { ...event, onlyUserIds: userIds.slice(first, first + MOST_NAMED) };
      const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [told] }));
      bus.publishLive(liveSubject(event.appId, shard, 'event'), payload);
      retelling.add(liveSubject(event.appId, shard, 'again'), payload);
    }
  }
}
