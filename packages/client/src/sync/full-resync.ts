import type { Conversation } from '@parley/contract/gen/records';
import { ANNOUNCEMENTS_WINDOW, CURSOR } from '../records/rows.ts';
import { applyConversationCreated } from './apply/conversation.ts';
import type { Context } from './context.ts';
import { pagePath } from './page-path.ts';
import { read, reapply } from './read.ts';
import { transact } from './transact.ts';

const PAGE_SIZE = 100;

/**
 * Reads the list of conversations anew: at first, and after a replay that was not complete. Conversations that are not listed
 * any more are removed, windows of history and announcements are read again when they are shown.
 */
export async function resyncAll(ctx: Context, epoch: number): Promise<void> {
  const reading = ctx.packetsDuringRequest.begin();
  try {
    const listed = new Set<string>();
    // Ordered by creation, so that a message that comes meanwhile moves no conversation to another page.
    for (let from: string | undefined, isLast = false; !isLast;) {
      const page = await read<Conversation[]>(ctx, pagePath('/conversations', PAGE_SIZE, from));
      for (const { id } of page) listed.add(id);
      await transact(ctx, epoch, async (batch) => {
        for (const conversation of page) applyConversationCreated(batch, conversation);
        await reapply(ctx, batch, reading.since());
      });
      from = page.at(-1)?.id;
      isLast = page.length < PAGE_SIZE;
    }
    await transact(ctx, epoch, async (batch) => {
      for (const id of ctx.records.conversations.keys()) if (!listed.has(id)) batch.removeConversation(id);
      for (const id of ctx.records.announcements.keys()) batch.removeAnnouncement(id);
      batch.setValue(ANNOUNCEMENTS_WINDOW, undefined);
      // A cursor that is later than the server's time would stay, since cursors only advance.
      batch.setValue(CURSOR, undefined);
      await reapply(ctx, batch, reading.since());
    });
    ctx.diagnose('read_afresh', { conversations: listed.size });
  } finally {
    reading.end();
  }
}
