import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Tx } from '@parley/kit/postgres';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { eventsByApp } from '@parley/domain/events/by-app';
import { setReferences } from '../content/references.ts';
import { releaseMessages } from '../content/release.ts';
import { advanceMessage } from '../sql/content-message.ts';

const DELETED = { durable: 'content-message-deleted', filter: 'event.*.message.deleted' };
const PARTS_CHANGED = { durable: 'content-message-parts-changed', filter: 'event.*.message.parts_changed' };

/** Releases the content of messages that are deleted for all participants, and updates references when parts change. */
export function consumeMessages(ctx: Context, kind: 'deleted' | 'parts_changed'): Consumer {
  return consumeEvents(ctx, {
    ...(kind === 'deleted' ? DELETED : PARTS_CHANGED),
    handleAll: async (tx, events) => {
      for (const [appId, own] of eventsByApp(events)) await followMessages(ctx, tx, appId, own);
    },
  });
}

async function followMessages(ctx: Context, tx: Tx, appId: string, events: Event[]): Promise<void> {
  const ids = events.flatMap(({ body }) => (body.case === 'messageDeleted' ? [body.value.messageId] : []));
  await releaseMessages(ctx, tx, { appId, ids });
  await followParts(ctx, tx, appId, newestChanges(events));
}

type PartsChange = { messageId: string; seq: number; parts: Part[] };

/** The last change of each message, by message id. */
function newestChanges(events: readonly Event[]): PartsChange[] {
  const newest = new Map<string, PartsChange>();
  for (const { seq, body } of events) {
    if (body.case !== 'messagePartsChanged' || !body.value.message) continue;
    const { messageId, message } = body.value;
    if (seq > (newest.get(messageId)?.seq ?? 0))
      newest.set(messageId, { messageId, seq, parts: message.parts });
  }
  return [...newest.values()].sort((one, other) => (one.messageId < other.messageId ? -1 : 1));
}

// Content is claimed before the event is published, so the event's parts are all that the message refers to.
async function followParts(ctx: Context, tx: Tx, appId: string, changes: PartsChange[]): Promise<void> {
  const advanced: PartsChange[] = [];
  for (const change of changes) {
    const { messageId: id, seq } = change;
    if (await advanceMessage(tx, { appId, id, seq })) advanced.push(change);
  }
  await setReferences(ctx, tx, advanced.map(({ messageId, parts }) => ({ appId, messageId, parts }))); // prettier-ignore
}
