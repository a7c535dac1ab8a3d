import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { encodeEvents } from '@parley/domain/events/encode';
import { durableSubject, liveSubject, shardOf } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Outbox, OutboxMessage } from '@parley/kit/durable/outbox';
import type { Tx } from '@parley/kit/postgres';
import type { Epochs } from '@parley/kit/postgres/epoch';
import type { Rebroadcast } from '@parley/kit/bus/rebroadcast';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { logForRepublishing } from './event-log.ts';

type Body = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

export type EventDraft = {
  appId: string;
  /** The event's content; a function makes it for the recipients that one event names. */
  body: Body | ((userIds: readonly string[]) => Body);
  /** Users whose sockets get the event live; default: none. */
  userIds?: readonly string[];
};

/** Publishes a change to other services, and to its users' sockets, if the transaction commits. */
export type Emit = (tx: Tx, draft: EventDraft) => Promise<void>;

/** Even with the longest user ids such an event stays far below the broker's message limit. */
const MAX_USERS_PER_EVENT = 250;

type Options = {
  outbox: Outbox;
  rebroadcast: Rebroadcast;
  clock: Clock;
  epochs: Epochs;
  liveShards: number;
};

export function createEmit({ outbox, rebroadcast, clock, epochs, liveShards }: Options): Emit {
  function toEvent({ appId, body }: EventDraft, userIds: string[]): Event {
    const content = typeof body === 'function' ? body(userIds) : body;
    const head = { id: newId(), appId, createdAt: clock.now(), onlyUserIds: userIds };
    return create(EventSchema, { ...head, body: content });
  }

  function toMessages(event: Event, live: string[]): OutboxMessage[] {
    const payloads = encodeEvents([event], epochs.current());
    return payloads.map((payload) => ({ subject: durableSubject(event), live, payload }));
  }

  return async (tx, draft) => {
    if (!draft.userIds) {
      const event = toEvent(draft, []);
      await logForRepublishing(tx, event);
      return outbox.add(tx, toMessages(event, []));
    }
    const messages: OutboxMessage[] = [];
    for (const [shard, userIds] of Map.groupBy(draft.userIds, (userId) => shardOf(userId, liveShards))) {
      const live = liveSubject(draft.appId, shard, 'event');
      const rebroadcastSubject = liveSubject(draft.appId, shard, 'again');
      for (let first = 0; first < userIds.length; first += MAX_USERS_PER_EVENT) {
        const pageMessages = toMessages(toEvent(draft, userIds.slice(first, first + MAX_USERS_PER_EVENT)), [
          live,
        ]);
        messages.push(...pageMessages);
        // The sweeper of the outbox publishes them live.
        tx.afterCommit(
          () => pageMessages.forEach(({ payload }) => rebroadcast.add(rebroadcastSubject, payload)),
          'found',
        );
      }
    }
    await outbox.add(tx, messages);
  };
}
