import { fromBinary } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { FollowingMovedSchema, HeadsSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';
import type { Hub } from '../connection/hub.ts';
import type { Epochs } from '../../upstream/epochs/index.ts';
import type { PresenceWatchers } from '../presence/watchers.ts';
import { createRecentBatches } from './recent-batches.ts';
import { inDeliverySpan } from './delivery-span.ts';
import type { Arrival } from './render/recipients.ts';
import { missedEvents, usersWhoMissed } from './repair/missed-events.ts';
import { createRecentlySeen, type RecentlySeen } from './repair/recently-seen.ts';
import type { Repairs } from './repair/repairs.ts';
import type { TypingSignals } from './signals.ts';
import type { ConversationStreams } from './streams.ts';
import type { Handlers } from './subscriptions.ts';

type Options = {
  hub: Hub;
  clock: Clock;
  epochs: Pick<Epochs, 'isCurrent' | 'suspect' | 'told'>;
  /** The change that has this number in the conversation now. */
  changeAt(appId: string, conversationId: string, seq: number): Promise<Event | undefined>;
  /** Change logs of the services whose events name their audience. */
  logs: readonly Client<typeof ChangeLogService>[];
  streams: ConversationStreams;
  signals: TypingSignals;
  presence: PresenceWatchers;
  repairs: Repairs;
  /** Changes when pending fetches must no longer be delivered. */
  era(): number;
  dispatch(event: Event, arrival: Arrival): void | Promise<void>;
  failed(error: unknown): void;
};

/** Handles the messages that arrive from the bus. */
export type Incoming = {
  handlers: Handlers;
  /**
   * Delivers an event from the answer to a send if it is the next one of its conversation, and leaves it to NATS otherwise. The copy from
   * NATS is then dropped, since it has the same bytes.
   */
  answered(appId: string, payload: Uint8Array): void;
  /** Delivers an event that names its audience. */
  deliver(event: Event, arrival: Arrival): Promise<void>;
};

export function createIncoming(options: Options): Incoming {
  const { hub, clock, epochs, streams, signals, presence } = options;
  const seen = createRecentlySeen(clock.now);
  const batches = createRecentBatches();
  return {
    deliver: (event, arrival) => deliver(options, event, arrival),
    answered(appId, payload) {
      const users = hub.usersOf(appId);
      if (!users || batches.has(payload, users)) return;
      const { events, epoch } = fromBinary(EventBatchSchema, payload);
      if (!epochs.isCurrent(epoch) || !events.every(streams.isNext)) return;
      batches.add(payload, users);
      receiveAll(options, seen, events);
    },
    handlers: {
      event(payload, appId, trace) {
        const users = hub.usersOf(appId);
        if (batches.has(payload, users)) return;
        const { events, epoch } = fromBinary(EventBatchSchema, payload);
        if (!epochs.isCurrent(epoch)) return suspectAll(options, events);
        // The streams already have a numbered event, and would refuse it.
        if (events.every(({ seq }) => seq > 0)) batches.add(payload, users);
        if (trace === undefined) receiveAll(options, seen, events);
        else inDeliverySpan(trace, events.length, () => receiveAll(options, seen, events));
      },
      heads(payload, appId) {
        const { heads, sentAt, epoch } = fromBinary(HeadsSchema, payload);
        if (!epochs.isCurrent(epoch)) return suspectHeads(options, appId, heads);
        for (const head of heads) streams.head(appId, head, sentAt);
      },
      rebroadcast(payload) {
        const { events } = fromBinary(EventBatchSchema, payload);
        for (const event of events) receiveRebroadcast(options, seen, event);
      },
      signal: signals.receive,
      presence: presence.receive,
      following(payload, appId) {
        presence.followedListsChanged(appId, fromBinary(FollowingMovedSchema, payload).userIds);
      },
    },
  };
}

function receiveAll(options: Options, seen: RecentlySeen, events: readonly Event[]): void {
  for (const event of events) {
    if (event.seq === 0) seen.add(event);
    receive(options, event);
  }
}

/**
 * Handles events of an epoch other than the present one: an ended epoch, part of which the database has kept, or a new one that this
 * gateway does not know yet. Only events in the logs are delivered.
 */
function suspectAll(options: Options, events: readonly Event[]): void {
  const { hub, epochs, repairs, changeAt, streams, era } = options;
  epochs.suspect();
  for (const event of events) {
    const { appId, conversationId, seq, id } = event;
    if (seq === 0) repair(options, event);
    else
      repairs.add(`${id}/suspect`, {
        isWanted: () => hub.usersOf(appId) !== undefined,
        async run() {
          const before = era();
          const stored = await changeAt(appId, conversationId, seq);
          if (era() === before && stored?.id === id) streams.event(event);
        },
      });
  }
}

/** A head beyond the end of its conversation would make the streams drop the changes that get these numbers later. */
function suspectHeads(options: Options, appId: string, heads: readonly Head[]): void {
  const { hub, epochs, repairs, changeAt, streams, era } = options;
  epochs.suspect();
  for (const head of heads) {
    const { conversationId, seq } = head;
    repairs.add(`${appId}/${conversationId}/${seq}/suspect`, {
      isWanted: () => hub.usersOf(appId) !== undefined,
      async run() {
        const before = era();
        const stored = await changeAt(appId, conversationId, seq);
        if (era() === before && stored) streams.head(appId, head, 0);
      },
    });
  }
}

/** A numbered event waits for its turn in its conversation; any other names its audience and is delivered at once. */
function receive(options: Options, event: Event): void {
  if (event.seq > 0) {
    options.epochs.told(event);
    return options.streams.event(event);
  }
  if (event.onlyUserIds.length === 0) return;
  deliver(options, event, { repaired: false }).catch((error: unknown) => {
    options.failed(error);
    repair(options, event);
  });
}

/** Every event without a number is published again a second later: if its first copy did not arrive, it was lost. */
function receiveRebroadcast(options: Options, seen: RecentlySeen, event: Event): void {
  if (seen.has(event)) return;
  seen.add(event);
  repair(options, event);
}

async function deliver({ presence, dispatch }: Options, event: Event, arrival: Arrival): Promise<void> {
  if (changesFollowedLists(event)) presence.followedListsChanged(event.appId, event.onlyUserIds);
  await dispatch(event, arrival);
}

/** Reads the events of an unnumbered event's subject from the logs and delivers them. */
function repair(options: Options, event: Event): void {
  const { hub, clock, logs, repairs } = options;
  const { appId } = event;
  const arrival = { repaired: true, aheadMs: clock.now() - event.createdAt };
  for (const userId of usersWhoMissed(hub, event, clock.now())) {
    repairs.add(`${event.id}/${userId}`, {
      isWanted: () => hub.of(appId, userId) !== undefined,
      async run() {
        for await (const missed of missedEvents({ logs, userId }, event))
          await deliver(options, missed, arrival);
      },
    });
  }
}

/** Whether followed lists change: a created or deleted identity enters or leaves its followers' lists. */
function changesFollowedLists({ body }: Event): boolean {
  return body.case === 'identityChanged' && (body.value.created || body.value.identity?.deleted === true);
}
