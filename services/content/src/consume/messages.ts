import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import {
  EventBatchSchema,
  type Event,
  type MessagePartsChanged,
} from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { setReferences } from '../references.ts';
import { releaseMessages } from '../release.ts';
import { advanceMessage } from '../sql/content-message.ts';

/** Lets go of content when messages are deleted for everybody, and follows their parts. */
export function consumeMessages(ctx: Context, kind: 'deleted' | 'parts_changed'): Consumer {
  const { db, bus, log, clock, metrics } = ctx;
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: `content-message-${kind.replace('_', '-')}`,
    filter: `event.*.message.${kind}`,
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handle: (tx, event) => followMessage(ctx, tx, event),
  });
}

async function followMessage(ctx: Context, tx: Tx, { appId, seq, body }: Event): Promise<void> {
  if (body.case === 'messageDeleted') {
    await releaseMessages(ctx, tx, { appId, ids: [body.value.messageId] });
  }
  if (body.case === 'messagePartsChanged') await followParts(ctx, tx, { appId, seq, change: body.value });
}

type PartsChange = { appId: string; seq: number; change: MessagePartsChanged };

// What is claimed is claimed before the event, so the parts afterwards are the whole truth.
async function followParts(ctx: Context, tx: Tx, { appId, seq, change }: PartsChange): Promise<void> {
  const { messageId, message } = change;
  if (!message || !(await advanceMessage(tx, { appId, id: messageId, seq }))) return;
  await setReferences(ctx, tx, { appId, messageId, parts: message.parts });
}
