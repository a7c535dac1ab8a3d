import { create, fromBinary, toBinary } from '@parley/codec';
import { liveSubject, shardOf } from '@parley/domain/events';
import { createRounds, stepSize, type Rounds } from '@parley/kit/durable/work/queue';
import {
  EventBatchSchema,
  EventSchema,
  type Event,
  type IdentityChanged,
} from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { advanceFollowerNotice, followerNoticeQueue, type FollowerNotice } from '../sql/follower-notice.ts';
import { listBlockedEitherWay } from '../sql/block.ts';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { insertDepartures, listWhoMustHear } from '../sql/departure.ts';
import { listFollowers } from '../sql/following.ts';
import { findIncarnation } from '../sql/identity.ts';

/** Followers that one step looks up. */
const PAGE_SIZE = 10_000;
const MAX_USERS_PER_EVENT = 500;

/**
 * Publishes a changed identity to the gateways of the user's followers, a page of followers in a step. Followers are
 * computed from memberships; no row is written for a follower, but for the deletion of an identity, which replays must show when
 * the relations are gone. A change of an erased incarnation is dropped. Each
 * change is rebroadcast, so that a gateway that missed it notices and reads the log.
 */
export function createFollowerNotices(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: followerNoticeQueue,
    db,
    log,
    clock,
    step: (notice) => notifyPage(ctx, notice),
  });
}

async function notifyPage(ctx: Context, notice: FollowerNotice): Promise<void> {
  const event = fromBinary(EventSchema, notice.event);
  if (event.body.case !== 'identityChanged')
    throw new Error('a follower notice holds an event of another kind');
  const { identity } = event.body.value;
  if (identity?.deleted) return notifyDeparture(ctx, notice, { event, identity });
  const { userId = '', incarnation = 0 } = identity ?? {};
  const user = { appId: notice.app_id, userId };
  const limit = stepSize(PAGE_SIZE, notice);
  const followers = await listFollowers(ctx.db, { ...user, afterUserId: notice.told_until, limit });
  const isErased = ((await findIncarnation(ctx.db, user)) ?? 0) > incarnation;
  if (!isErased) {
    const unseeing = new Set(await listBlockedEitherWay(ctx.db, user, followers));
    publish(
      ctx,
      event,
      followers.filter((one) => !unseeing.has(one)),
    );
    publish(ctx, withoutPresence(event), [...unseeing]);
  }
  await followerNoticeQueue.work(ctx.db, notice, async (tx) => {
    const last = followers.at(-1);
    if (isErased || last === undefined || followers.length < limit) return true;
    await advanceFollowerNotice(tx, { appId: notice.app_id, eventId: notice.event_id, toldUntil: last });
    return false;
  });
}

/** The identity is public; its presence is not, between users of whom one blocks the other. */
function withoutPresence(event: Event): Event {
  if (event.body.case !== 'identityChanged') return event;
  return {
    ...event,
    body: { case: event.body.case, value: { ...event.body.value, presence: undefined } as IdentityChanged },
  };
}

/** Begins the cursor of a departure whose followers are noted; user ids have no control characters. */
const NOTED = '\n';

/**
 * A page of a notice that an identity is deleted. First its followers are noted; an erasure has done that itself, before it removed the
 * relations. Then those who are noted get the notice.
 */
async function notifyDeparture(
  ctx: Context,
  notice: FollowerNotice,
  { event, identity }: { event: Event; identity: Identity },
): Promise<void> {
  const { app_id: appId, event_id: eventId, told_until: cursor } = notice;
  const { userId, version, incarnation } = identity;
  const limit = stepSize(PAGE_SIZE, notice);
  const departure = { appId, goneUserId: userId, version };
  if (!cursor.startsWith(NOTED)) {
    const isErased = ((await findIncarnation(ctx.db, { appId, userId })) ?? 0) > incarnation;
    const page = { appId, userId, afterUserId: cursor, limit };
    const userIds = isErased ? [] : await listFollowers(ctx.db, page);
    const toldUntil = userIds.length < limit ? NOTED : (userIds.at(-1) ?? NOTED);
    await followerNoticeQueue.work(ctx.db, notice, async (tx) => {
      await insertDepartures(tx, { ...departure, at: event.createdAt, userIds });
      await advanceFollowerNotice(tx, { appId, eventId, toldUntil });
      return false;
    });
    return;
  }
  const userIds = await listWhoMustHear(ctx.db, { ...departure, after: cursor.slice(NOTED.length), limit });
  publish(ctx, event, userIds);
  await followerNoticeQueue.work(ctx.db, notice, async (tx) => {
    const last = userIds.at(-1);
    if (last === undefined || userIds.length < limit) return true;
    await advanceFollowerNotice(tx, { appId, eventId, toldUntil: NOTED + last });
    return false;
  });
}

function publish(
  { bus, rebroadcast, config, epochs }: Context,
  event: Event,
  followers: readonly string[],
): void {
  const byShard = Map.groupBy(followers, (userId) => shardOf(userId, config.liveShards));
  for (const [shard, userIds] of byShard) {
    for (let first = 0; first < userIds.length; first += MAX_USERS_PER_EVENT) {
      const addressed = { ...event, onlyUserIds: userIds.slice(first, first + MAX_USERS_PER_EVENT) };
      const batch = create(EventBatchSchema, { events: [addressed], epoch: epochs.current() });
      const payload = toBinary(EventBatchSchema, batch);
      bus.publishLive(liveSubject(event.appId, shard, 'event'), payload);
      rebroadcast.add(liveSubject(event.appId, shard, 'again'), payload);
    }
  }
}
