import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { encodeEvents } from '@parley/domain/events/encode';
import { durableSubject, liveSubject, shardOf } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Outbox, OutboxMessage } from '@parley/kit/durable/outbox';
import type { Tx } from '@parley/kit/postgres';
import type { Epochs } from '@parley/kit/postgres/epoch';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { logForRepublishing } from './event-log.ts';

export type EventDraft = {
  appId: string;
  body: NonNullable<MessageInitShape<typeof EventSchema>['body']>;
  /** A user whose gateways also get the event live. */
  liveUserId?: string;
};

/** Publishes changes to other processes if, and only if, the transaction commits. */
export type Emit = (tx: Tx, ...drafts: EventDraft[]) => Promise<void>;

type Options = { outbox: Outbox; clock: Clock; epochs: Epochs; liveShards: number };

export function createEmit({ outbox, clock, epochs, liveShards }: Options): Emit {
  return async (tx, ...drafts) => {
    const createdAt = clock.now();
    const groups = new Map<string, { subject: string; live: string[]; events: Event[] }>();
    for (const { appId, body, liveUserId } of drafts) {
      const event = create(EventSchema, { id: newId(), appId, createdAt, body });
      const subject = durableSubject(event);
      const live =
        liveUserId === undefined ? [] : [liveSubject(appId, shardOf(liveUserId, liveShards), 'event')];
      const key = `${subject} ${live.join(' ')}`;
      const group = groups.get(key) ?? { subject, live, events: [] };
      group.events.push(event);
      groups.set(key, group);
    }
    if (groups.size === 0) return;
    const all = [...groups.values()];
    await logForRepublishing(
      tx,
      all.flatMap(({ events }) => events),
    );
    const epoch = epochs.current();
    await outbox.add(
      tx,
      all.flatMap((group) => toMessages(group, epoch)),
    );
  };
}

// One message carries all events of one subject and one live audience, in order.
type Group = { subject: string; live: string[]; events: Event[] };

function toMessages({ subject, live, events }: Group, epoch: string): OutboxMessage[] {
  return encodeEvents(events, epoch).map((payload): OutboxMessage => ({ subject, live, payload }));
}
