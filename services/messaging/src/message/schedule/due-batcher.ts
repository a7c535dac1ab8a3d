import { observeBatches, type Answer, type Batcher } from '@parley/kit/flow/batch';
import type { Context } from '../../context.ts';
import type { DueRow, ScheduledKey } from '../../sql/message/scheduled-message.ts';
import type { LockMode } from '../../transaction/contention.ts';
import { createConversationBatcher } from '../../transaction/conversation-batcher.ts';
import { sendDueMessages } from './send-due.ts';
import { startTyping } from './typing.ts';

/** Work of a scheduled message that is due: sending it, or showing its sender's typing indicator. */
export type DueWork = { row: DueRow; action: 'send' | 'type' };

/** Group commit of due messages. They wait for their conversation for as long as the process runs (`isStopping`). */
export function createDueBatcher(ctx: Context, isStopping: () => boolean): Batcher<DueWork, void> {
  return createConversationBatcher<DueWork, void>(ctx, {
    conversationOf: ({ row }) => ({ appId: row.app_id, id: row.conversation_id }),
    // A message that gave up and was loaded again would be sent after later ones.
    giveUpAt: () => (isStopping() ? 0 : Infinity),
    run: (works, locking) => runBatch(ctx, works, locking),
    maxItems: 256,
    lanes: 2,
    maxQueued: 100_000,
    observer: observeBatches(ctx.metrics, 'scheduled_messages'),
  });
}

// Messages are sent first: typing that starts after its own message was sent would never end.
async function runBatch(ctx: Context, works: DueWork[], locking: LockMode): Promise<Answer<void>[]> {
  const sent = works.filter(({ action }) => action === 'send');
  const keys = sent.map(keyOf);
  const answers = keys.length > 0 ? await sendDueMessages(ctx, keys, locking) : [];
  const typed = works.filter(({ action }) => action === 'type').map(keyOf);
  if (typed.length > 0) await startTyping(ctx, typed);
  const byWork = new Map(sent.map((work, index) => [work, answers[index] as Answer<void>]));
  return works.map((work): Answer<void> => byWork.get(work));
}

function keyOf({ row }: DueWork): ScheduledKey {
  return { appId: row.app_id, id: row.id, conversationId: row.conversation_id };
}
