import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { ANSWER_BYTES } from '@parley/kit/rpc/byte-budget';
import type { ExportConversationsRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { loadFittingConversations } from '../conversation/view.ts';
import { readCut } from '../transfer/export/cut.ts';
import { readSnapshot } from '../transaction/snapshot.ts';

/** Conversations of one response; each may have hundreds of participants. */
const PAGE = 100;
/**
 * Bytes of a response. Several are on their way at once to a process with a small heap, so they are smaller than other
 * answers.
 */
const BUDGET = ANSWER_BYTES / 4;

export async function* exportConversations(ctx: Context, { appId, cutId }: ExportConversationsRequest) {
  if (!isUuid(cutId) || !isUuid(appId)) return failNotFound('export', cutId);
  const viewer = { appId, userId: '', now: ctx.clock.now() };
  for await (const { conversation_ids } of readCut(ctx, { appId, cutId })) {
    for (let from = 0; from < conversation_ids.length; from += PAGE) {
      let ids = conversation_ids.slice(from, from + PAGE);
      while (ids.length > 0) {
        const page = { ids, budget: BUDGET };
        const { conversations, rest } = await ctx.shares.runBackground(appId, () =>
          readSnapshot(ctx, (sql) => loadFittingConversations(sql, viewer, page)),
        );
        yield { conversations };
        ids = rest;
      }
    }
  }
}
