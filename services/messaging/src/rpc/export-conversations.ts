import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { ExportConversationsRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { loadConversations } from '../conversation-view.ts';
import { readCut } from '../exporting/cut.ts';
import { readTogether } from '../snapshot.ts';

/** Of a response; a conversation may have hundreds of participants. */
const PAGE = 100;

export async function* exportConversations(ctx: Context, { appId, cutId }: ExportConversationsRequest) {
  if (!isUuid(cutId) || !isUuid(appId)) return fail('not_found');
  const viewer = { appId, userId: '' };
  for await (const { conversation_ids } of readCut(ctx, { app_id: appId, cut_id: cutId })) {
    for (let from = 0; from < conversation_ids.length; from += PAGE) {
      const ids = conversation_ids.slice(from, from + PAGE);
      yield { conversations: await readTogether(ctx, (sql) => loadConversations(sql, viewer, ids)) };
    }
  }
}
