import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { FollowingMovedSchema, HeadsSchema } from '@parley/proto/parley/live/v1/live_pb';
import type { GatewayContext } from '../context.ts';
import { createPresenceWatchers, type PresenceWatchers } from '../presence/watchers.ts';
import type { Connection } from '../connection/connection.ts';
import { createAnnouncementCache } from './render/announcement-cache.ts';
import { createCatchUp } from './repair/catch-up.ts';
import { createDispatch } from './dispatch.ts';
import { createRecentlySeen } from './repair/recently-seen.ts';
import { createHub, type Hub } from '../connection/hub.ts';
import { missedEvents, usersWhoMissed } from './repair/missed-events.ts';
import { createRepairs } from './repair/repairs.ts';
import { createReplay, type Replay } from './replay/replay.ts';
import { createTypingSignals } from './signals.ts';
import { createConversationStreams } from './streams.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createConversationUpdates } from './updates/conversation-updates.ts';
import type { RenderContext } from './render/context.ts';
import type { Arrival } from './render/recipients.ts';

/** What happens now, for the sockets of this gateway. */
export type Live = {
  readonly hub: Hub;
  readonly presence: PresenceWatchers;
  /** Before a user's socket is answered. */
  listen(userId: string): Promise<void>;
  /** When no socket came of it. */
  unlisten(userId: string): void;
  join(connection: Connection): void;
  leave(connection: Connection): void;
  replayTo(connection: Connection): Replay;
  stop(): Promise<void>;
};

export function startLive(ctx: GatewayContext): Live {
  const hub = createHub();
  const { audiences, messaging, clock, log } = ctx;
  const { wire, downloads } = ctx;
  const view = { wire, downloads, baseUrl: ctx.config.publicUrl, audience: 'client' as const, appId: '' };
  function failed(error: unknown): void {
    log.warn({ err: error }, 'live delivery waits');
  }
  const updates = createConversationUpdates({ messaging, hub, view, clock, failed });
  const context: RenderContext = {
    view,
    messaging,
    updates,
    announcements: createAnnouncementCache(ctx.announcement),
    maxStatusesInFrame: ctx.config.maxStatusesInFrame,
  };
  const signals = createTypingSignals({ hub, audiences, view, clock, failed });
  const dispatch = createDispatch({ hub, audiences, context });
  const streams = createConversationStreams({
    deliver: dispatch,
    fetch: async (appId, conversationId, firstSeq, lastSeq) =>
      (await ctx.conversationLog.listConversationEvents({ appId, conversationId, firstSeq, lastSeq })).events,
    isFollowed: (appId) => hub.usersOf(appId) !== undefined,
    now: clock.now,
    failed,
  });

  async function deliver(event: Event, arrival: Arrival): Promise<void> {
    if (changesFollowing(event)) presence.followedListsChanged(event.appId, event.onlyUserIds);
    await dispatch(event, arrival);
  }
  const repairs = createRepairs({ failed, setTimer: clock.setTimer });
  const logs = ctx.changeLogs.filter((log) => log !== ctx.conversationLog);
  /** Delivers from the logs what became of the subject of an event without a number. */
  function repair(event: Event): void {
    const { appId } = event;
    const arrival = { repaired: true, aheadMs: clock.now() - event.createdAt };
    for (const userId of usersWhoMissed(hub, event, clock.now())) {
      repairs.add(`${event.id}/${userId}`, {
        isWanted: () => hub.of(appId, userId) !== undefined,
        async run() {
          for await (const missed of missedEvents({ logs, userId }, event)) await deliver(missed, arrival);
        },
      });
    }
  }
  /** Events of conversations are put in order first; others name their audience, and are told as they come. */
  function hear(event: Event): void {
    if (event.seq > 0) return streams.event(event);
    if (event.onlyUserIds.length === 0) return;
    deliver(event, { repaired: false }).catch((error: unknown) => {
      failed(error);
      repair(event);
    });
  }
  const seen = createRecentlySeen(clock.now);
  /** A second later each event without a number is said again: one that did not come was lost. */
  function hearAgain(event: Event): void {
    if (seen.has(event)) return;
    seen.add(event);
    repair(event);
  }
  const presence = createPresenceWatchers({
    presences: ctx.presences,
    relations: ctx.relations,
    maxPairsPerApp: ctx.config.maxPresencePairs,
    ...{ view, clock, failed },
    listen: (userId) => subscriptions.watch(userId),
    unlisten: (userId) => subscriptions.unwatch(userId),
  });
  const subscriptions = createSubscriptions({
    bus: ctx.bus,
    shards: ctx.config.liveShards,
    handlers: {
      event: (payload) => {
        for (const event of fromBinary(EventBatchSchema, payload).events) {
          if (event.seq === 0) seen.add(event);
          hear(event);
        }
      },
      heads: (payload, appId) => {
        const { heads, sentAt } = fromBinary(HeadsSchema, payload);
        for (const head of heads) streams.head(appId, head, sentAt);
      },
      again: (payload) => {
        for (const event of fromBinary(EventBatchSchema, payload).events) hearAgain(event);
      },
      signal: signals.receive,
      presence: (payload, appId) => presence.receive(payload, appId),
      following: (payload, appId) =>
        presence.followedListsChanged(appId, fromBinary(FollowingMovedSchema, payload).userIds),
    },
  });

  const catchUp = createCatchUp({
    ...{ hub, logs: ctx.changeLogs, repairs, clock, failed },
    deliver: (event) => deliver(event, { repaired: true }),
    head: (appId, head) => streams.head(appId, head, 0),
  });
  const gap = ctx.bus.onGap((since) => {
    repairs.add('presence', { isWanted: () => hub.size > 0, run: () => presence.catchUp() });
    catchUp.from(since);
  });

  return {
    hub,
    presence,
    listen: (userId) => subscriptions.join(userId),
    unlisten: (userId) => subscriptions.leave(userId),
    join(connection) {
      hub.add(connection);
      ctx.presenceReporter.joined(userOf(connection));
    },
    leave(connection) {
      const { appId, userId } = connection.caller;
      hub.remove(connection);
      presence.left(connection);
      subscriptions.leave(userId);
      if (!hub.of(appId, userId)) {
        updates.forgetUser(appId, userId);
        ctx.presenceReporter.left(userOf(connection));
      }
      if (!hub.usersOf(appId)) streams.forget(appId);
    },
    replayTo: (connection) => createReplay({ context, audiences, messaging, connection }),
    async stop() {
      gap.close();
      catchUp.stop();
      repairs.stop();
      subscriptions.stop();
      signals.stop();
      updates.stop();
      await presence.stop();
    },
  };
}

/** An identity that comes or goes is in, or out of, the lists of its followers. */
function changesFollowing({ body }: Event): boolean {
  return body.case === 'identityChanged' && (body.value.created || body.value.identity?.deleted === true);
}

function userOf({ caller: { appId, userId } }: Connection) {
  return { appId, userId };
}
