import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { encodeEvents } from '@parley/domain/events/encode';
import { durableSubject, liveSubject, shardsOfMask } from '@parley/domain/events';
import type { OutboxMessage } from '@parley/kit/outbox';
import type { Tx } from '@parley/kit/postgres';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { withReferences } from './references.ts';
import { insertChanges } from '../sql/log/change.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { insertOutbox } from '../sql/log/outbox.ts';
import { write, type Part } from '../sql/statement.ts';

export type EventBody = NonNullable<MessageInitShape<typeof EventSchema>['body']>;

/** An event and the virtual shards (64 characters `0` or `1`) of those who are told. */
export type Change = { event: Event; shards: string };

export type ChangeOptions = {
  /** Absent: a server or nobody. */
  actor?: BasicIdentity | undefined;
  /** Absent: everybody who takes part. */
  onlyUserIds?: string[];
  body: EventBody;
  /** Of a change that alters who takes part: those before and those after. Default: the conversation's. */
  shards?: string;
};

/**
 * Gives the change its number: `conversation`, which must be locked, moves on to it and has to be written afterwards.
 * `members_seq` is to be moved on by the caller, before, if the change is one of the participants.
 */
export function addChange(ctx: Context, conversation: ConversationRow, options: ChangeOptions): Change {
  conversation.seq += 1;
  conversation.changed_at = ctx.clock.now();
  const event = create(EventSchema, {
    id: ctx.newId(),
    appId: conversation.app_id,
    conversationId: conversation.id,
    createdAt: conversation.changed_at,
    seq: conversation.seq,
    membersSeq: conversation.members_seq,
    onlyUserIds: options.onlyUserIds ?? [],
    body: options.body,
  });
  if (options.actor) event.actor = options.actor;
  return { event, shards: options.shards ?? conversation.audience_shards };
}

export type Emission = {
  /** To be written in the transaction of the changes: the log and the outbox. */
  parts: (Part | undefined)[];
  /** To be called after the commit. */
  publish(): void;
};

/** Makes changes known: `write(tx, […, ...emission.parts])`, then `tx.afterCommit(emission.publish)`. */
export function createEmission(ctx: Context, changes: readonly Change[]): Emission {
  const rows = ctx.outbox.rows(outboxMessages(changes, ctx.config.liveShards));
  return {
    parts: [insertChanges(changes.map(({ event }) => withReferences(event))), insertOutbox(rows)],
    publish() {
      ctx.outbox.publish(rows);
      for (const { event, shards } of changes) {
        const { appId, conversationId, seq } = event;
        ctx.heads.note({ appId, conversationId, seq, shards });
      }
    },
  };
}

/** Writes changes of locked conversations together with other parts, and publishes their events after the commit. */
export async function writeChanges(
  ctx: Context,
  tx: Tx,
  { changes, parts }: { changes: readonly Change[]; parts: readonly (Part | undefined)[] },
): Promise<void> {
  const emission = createEmission(ctx, changes);
  await write(tx, [...parts, ...emission.parts]);
  tx.afterCommit(emission.publish);
}

// One message carries all events with the same durable subject and the same live audience, in their order.
function outboxMessages(changes: readonly Change[], liveShards: number): OutboxMessage[] {
  const groups = new Map<string, { subject: string; live: string[]; events: Event[] }>();
  for (const { event, shards } of changes) {
    const subject = durableSubject(event);
    const live = shardsOfMask(shards, liveShards).map((shard) => liveSubject(event.appId, shard, 'event'));
    const key = `${subject} ${live.join(' ')}`;
    const group = groups.get(key) ?? { subject, live, events: [] };
    group.events.push(event);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ subject, live, events }) =>
    encodeEvents(events).map((payload) => ({ subject, live, payload })),
  );
}
