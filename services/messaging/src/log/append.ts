import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { encodeEvents } from '@parley/domain/events/encode';
import { durableSubject, liveSubject, shardsOfMask } from '@parley/domain/events';
import type { OutboxRow } from '@parley/kit/durable/outbox';
import type { Tx } from '@parley/kit/postgres';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { withReferences } from './references.ts';
import { isForInterestedOnly } from './stored-events.ts';
import { insertChanges } from '../sql/log/change.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { insertOutbox } from '../sql/log/outbox.ts';
import { write, type Statement } from '../sql/statement.ts';

export type EventBody = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

/** An event. `shards`: the virtual shards of its audience, 64 characters `0` or `1`. */
export type Change = {
  event: Event;
  shards: string;
  /** Whether the event is stored for consumers of other services. */
  isStored: boolean;
  /** Whether the event surely fits a message of the broker. */
  isSmall: boolean;
};

export type ChangeOptions = {
  /** Absent: a server, or no actor. */
  actor?: BasicIdentity | undefined;
  /** Absent: all participants. */
  onlyUserIds?: string[];
  body: EventBody;
  /** Shards before and after a change of participants. Default: the conversation's. */
  shards?: string;
  /** Whether another service awaits the events of the application. Default: true. */
  isAwaited?: boolean;
  /** The event surely fits a message of the broker. Default: false, which has its size checked before the commit. */
  isSmall?: boolean;
};

/**
 * Gives the change its number: advances `conversation`, which must be locked and be written afterwards. If the
 * participants change, the caller advances `members_seq` before.
 */
export function addChange(ctx: Context, conversation: ConversationRow, options: ChangeOptions): Change {
  conversation.seq += 1;
  const now = ctx.clock.now();
  conversation.changed_at = now;
  const event = create(EventSchema, {
    id: ctx.newId(),
    appId: conversation.app_id,
    conversationId: conversation.id,
    createdAt: now,
    seq: conversation.seq,
    membersSeq: conversation.members_seq,
    onlyUserIds: options.onlyUserIds ?? [],
    body: options.body,
  });
  if (options.actor) event.actor = options.actor;
  return {
    event,
    shards: options.shards ?? conversation.audience_shards,
    isStored: options.isAwaited !== false || !isForInterestedOnly(event),
    isSmall: options.isSmall === true,
  };
}

export type Emission = {
  /** Writes to the change log and the outbox; belongs in the transaction of the changes. */
  statements: (Statement | undefined)[];
  /** The rows of the outbox among what the statements write. */
  outboxRows: readonly OutboxRow[];
  /** The encoded batch that `publish` sends to live subscribers, if there is only one. */
  onlyBatch(): Uint8Array | undefined;
  /** Publishes the events; must be called after the commit. */
  publish(): void;
  /** Called instead of `publish` when the commit's outcome is unknown: the changes that are stored are published soon. */
  doubt(): void;
  /** Called instead of `publish` when the changes were not written. */
  drop(): void;
};

/** The statements and the publication that make changes known. See `writeChanges`. */
export function createEmission(ctx: Context, changes: readonly Change[]): Emission {
  const groups = groupChanges(changes, ctx.config.liveShards);
  const epoch = ctx.epochs.current();
  const stored = groups.filter(({ isStored }) => isStored);
  const rows = ctx.outbox.rows(encodeGroups(stored, epoch));
  const live = groups.filter(({ isStored }) => !isStored);
  const liveMessages = inAdvance(() => encodeGroups(live, epoch));
  if (!changes.every(({ isSmall }) => isSmall)) liveMessages();
  const tail = ctx.publisherLiveness.begin(changes);
  return {
    outboxRows: rows,
    onlyBatch() {
      const [payload, second] = [...rows, ...liveMessages()].map((message) => message.payload);
      return second ? undefined : payload;
    },
    statements: [insertChanges(changes.map(({ event }) => withReferences(event))), insertOutbox(rows)],
    publish() {
      ctx.outbox.publish(rows);
      for (const message of liveMessages()) publishLive(ctx, message);
      tail.published();
      for (const { event, shards } of changes) {
        ctx.withdrawals.note(event);
        ctx.told.note(event, epoch);
        const { appId, conversationId, seq } = event;
        ctx.heads.note({ appId, conversationId, seq, shards, epoch });
      }
    },
    doubt: tail.doubt,
    drop: tail.published,
  };
}

/**
 * Returns a function that gives the result of `make`. `make` runs once: at the end of this turn of the event loop, while the database
 * works, or earlier if the result is asked for before that.
 */
function inAdvance<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  const get = (): T => (made ??= { value: make() }).value;
  setImmediate(() => {
    try {
      get();
    } catch {
      // `make` runs again, and throws again, when the result is asked for.
    }
  });
  return get;
}

/** Writes changes of locked conversations together with other statements, and publishes their events after the commit. */
export async function writeChanges(
  ctx: Context,
  tx: Tx,
  { changes, statements }: { changes: readonly Change[]; statements: readonly (Statement | undefined)[] },
): Promise<void> {
  const emission = createEmission(ctx, changes);
  await write(tx, [...statements, ...emission.statements]);
  tx.afterCommit(emission.publish, emission.doubt);
}

type EventGroup = { subject: string; live: string[]; isStored: boolean; events: Event[] };

type EventMessage = Pick<EventGroup, 'subject' | 'live'> & { payload: Uint8Array };

// One message carries all events with the same durable subject and the same live audience, in their order.
function groupChanges(changes: readonly Change[], liveShards: number): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const { event, shards, isStored } of changes) {
    const subject = durableSubject(event);
    const live = shardsOfMask(shards, liveShards).map((shard) => liveSubject(event.appId, shard, 'event'));
    const key = `${subject} ${isStored} ${live.join(' ')}`;
    const group = groups.get(key) ?? { subject, live, isStored, events: [] };
    group.events.push(event);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function encodeGroups(groups: readonly EventGroup[], epoch: string): EventMessage[] {
  return groups.flatMap(({ events, subject, live }) =>
    encodeEvents(events, epoch).map((payload) => ({ subject, live, payload })),
  );
}

// Gateways notice a message that gets lost by its change numbers, and read the change log instead.
function publishLive({ bus }: Context, { live, payload }: EventMessage): void {
  for (const subject of live) bus.publishLive(subject, payload);
}
