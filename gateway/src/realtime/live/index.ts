import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { RealtimeContext, Uses } from '../context.ts';
import { baseView } from '../../admission/client-view.ts';
import type { Connection } from '../connection/connection.ts';
import type { Hub } from '../connection/hub.ts';
import { createPresenceWatchers, type PresenceWatchers } from '../presence/watchers.ts';
import { createDispatch } from './dispatch.ts';
import { createIncoming } from './incoming.ts';
import { createAnnouncementCache } from './render/announcement-cache.ts';
import type { RenderContext } from './render/context.ts';
import { createCatchUp } from './repair/catch-up.ts';
import { createLookBacks, type LookBacks } from './repair/look-back.ts';
import { createRepairs, type Repairs } from './repair/repairs.ts';
import { createReplay, type Replay } from './replay/replay.ts';
import { createTypingSignals, type TypingSignals } from './signals.ts';
import { createConversationStreams, type ConversationStreams } from './streams.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createConversationUpdates } from './updates/conversation-updates.ts';
import { createReactionUpdates } from './updates/reaction-updates.ts';

/** Delivers events to the sockets of this gateway. */
export type Live = {
  readonly hub: Hub;
  readonly presence: PresenceWatchers;
  /** Subscribes to a user's events; to be awaited before the user's socket is accepted. */
  listen(userId: string): Promise<void>;
  /** Undoes a `listen` after which no socket was opened. */
  unlisten(userId: string): void;
  join(connection: Connection): void;
  leave(connection: Connection): void;
  replayTo(connection: Connection): Replay;
  stop(): Promise<void>;
};

export function startLive(ctx: RealtimeContext): Live {
  const { hub, presence, subscriptions, updates, streams, context, ...parts } = createParts(ctx);
  const { audiences, messaging, presenceReporter } = ctx;
  ctx.messageSender.onEvent((appId, payload) =>
    guardListener(() => parts.answered(appId, payload), parts.failed),
  );
  const stopEpochs = ctx.epochs.onChange(parts.beginAnew);
  const busGap = ctx.bus.onGap((since) => {
    parts.repairs.add('presence', { isWanted: () => hub.size > 0, run: () => presence.catchUp() });
    parts.lookBacks.missedFrom(since);
    parts.catchUp.from(since);
  });
  const confirmations = ctx.bus.onConfirmed((moment) => parts.lookBacks.confirmedAt(moment));
  return {
    hub,
    presence,
    listen: (userId) => subscriptions.join(userId),
    unlisten: (userId) => subscriptions.leave(userId),
    join(connection) {
      hub.add(connection);
      presenceReporter.joined(userOf(connection));
    },
    leave(connection) {
      const { appId, userId } = connection.caller;
      hub.remove(connection);
      presence.left(connection);
      subscriptions.leave(userId);
      if (!hub.of(appId, userId)) {
        updates.forgetUser(appId, userId);
        presenceReporter.left(userOf(connection));
      }
      if (!hub.usersOf(appId)) streams.forget(appId);
    },
    replayTo: (connection) => createReplay({ context, audiences, messaging, connection }),
    async stop() {
      stopEpochs();
      busGap.close();
      confirmations.close();
      parts.catchUp.stop();
      parts.repairs.stop();
      subscriptions.stop();
      parts.signals.stop();
      updates.stop();
      parts.reactions.stop();
      await presence.stop();
    },
  };
}

function createParts(ctx: RealtimeContext) {
  const { hub, audiences, messaging, clock, conversationLog, changeLogs } = ctx;
  const base = { hub, view: baseView(ctx), clock, failed: createFailed(ctx) };
  const updates = createConversationUpdates({ ...base, messaging });
  const signals = createTypingSignals({ ...base, audiences });
  const reactions = createReactionUpdates(base);
  const context = createRenderContext(ctx, base.view, { updates, reactions });
  let now = 0;
  const era = () => now;
  const dispatch = endingTyping(createDispatch({ hub, audiences, context, era }), signals);
  const lookBacks = createLookBacks(() => performance.now());
  const streams = createStreams(ctx, { ...base, lookBacks }, dispatch);
  const repairs = openRepairs(ctx, base.failed);
  const presence = createPresenceWatchers({
    ...base,
    presences: ctx.presences,
    relations: ctx.relations,
    maxPairsPerApp: ctx.config.maxPresencePairs,
    listen: (userId) => subscriptions.watch(userId),
    unlisten: (userId) => subscriptions.unwatch(userId),
  });
  const logs = changeLogs.filter((log) => log !== conversationLog);
  const { epochs } = ctx;
  const changeAt = (appId: string, conversationId: string, seq: number) =>
    fetchChanges(ctx, { appId, conversationId, firstSeq: seq, lastSeq: seq }).then(([change]) => change);
  const parts = { ...base, logs, epochs, changeAt, streams, signals, presence, repairs, era, dispatch };
  const incoming = createIncoming(parts);
  const { handlers, deliver, answered } = incoming;
  const subscriptions = createSubscriptions({ bus: ctx.bus, shards: ctx.config.liveShards, handlers });
  const catchUp = createCatchUp({
    ...base,
    logs: changeLogs,
    repairs,
    deliver: (event) => deliver(event, { repaired: true }),
    head: (appId, head) => streams.head(appId, head, 0),
  });
  /** Forgets all numbered events, since their numbers are assigned again. */
  function beginAnew(): void {
    now += 1;
    streams.forgetAll();
    catchUp.forget();
    updates.clear();
    reactions.clear();
    audiences.clear();
    ctx.messagePlaces.clear();
  }
  return { ...parts, answered, updates, reactions, context, lookBacks, subscriptions, catchUp, beginAnew };
}

type ChangeRange = { appId: string; conversationId: string; firstSeq: number; lastSeq: number };

async function fetchChanges(
  { conversationLog }: Uses<'conversationLog'>,
  range: ChangeRange,
): Promise<Event[]> {
  return (await conversationLog.listConversationEvents(range)).events;
}

/** Ends the typing of removed users, after the audience has changed. */
function endingTyping(dispatch: Dispatch, signals: TypingSignals): Dispatch {
  return (event, arrival) => {
    const dispatched = dispatch(event, arrival);
    signals.membersChanged(event);
    return dispatched;
  };
}

/** Runs repairs of missed events, counted by their outcome. */
function openRepairs({ clock, metrics }: Uses<'clock' | 'metrics'>, failed: Base['failed']): Repairs {
  const counter = metrics.counter({
    name: 'gateway_repairs_total',
    help: 'Attempts to read again what live events left out, by outcome.',
    labelNames: ['outcome'] as const,
  });
  return createRepairs({
    setTimer: clock.setTimer,
    repaired: () => counter.inc({ outcome: 'repaired' }),
    failed(error) {
      counter.inc({ outcome: 'failed' });
      failed(error);
    },
  });
}

type Dispatch = ReturnType<typeof createDispatch>;

type Base = { hub: Hub; view: RenderContext['view']; failed(error: unknown): void };

function createFailed({ log }: Uses<'log'>): Base['failed'] {
  return (error) => log.warn({ error }, 'live delivery failed; lost events will be fetched from the log');
}

function createRenderContext(
  {
    messaging,
    announcement,
    auth,
    config,
    figures,
    messageTexts: texts,
    messagePlaces,
  }: Uses<'announcement' | 'auth' | 'config' | 'figures' | 'messagePlaces' | 'messageTexts' | 'messaging'>,
  view: RenderContext['view'],
  sinks: Pick<RenderContext, 'updates' | 'reactions'>,
): RenderContext {
  const announcements = createAnnouncementCache(announcement);
  const { maxStatusesInFrame } = config;
  const delivered: RenderContext['delivered'] = (appId, sockets) =>
    figures.add(appId, 'socketDeliveries', sockets);
  const { note } = messagePlaces;
  const { publicIdentityFieldsOf } = auth;
  const parts = { messaging, ...sinks, announcements, texts, delivered, note, maxStatusesInFrame };
  return { view, publicIdentityFieldsOf, ...parts };
}

function createStreams(
  ctx: Uses<'clock' | 'conversationLog'>,
  { hub, failed, lookBacks }: Base & { lookBacks: LookBacks },
  dispatch: Dispatch,
): ConversationStreams {
  return createConversationStreams({
    deliver: dispatch,
    fetch: (appId, conversationId, firstSeq, lastSeq) =>
      fetchChanges(ctx, { appId, conversationId, firstSeq, lastSeq }),
    isFollowed: (appId) => hub.usersOf(appId) !== undefined,
    lookBack: lookBacks.current,
    now: ctx.clock.now,
    failed,
  });
}

function userOf({ caller: { appId, userId, incarnation } }: Connection) {
  return { appId, userId, incarnation };
}
