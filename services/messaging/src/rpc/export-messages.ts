import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ExportMessagesRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { readCut } from '../transfer/export/cut.ts';
import { prefetch } from '../transfer/export/prefetch.ts';
import { readSpans } from '../transfer/export/read-spans.ts';
import { spansOf } from '../transfer/export/spans.ts';

/** Positions of one read, which takes about a millisecond. Sends wait for it and for its garbage collection. */
const POSITIONS_PER_READ = 200;

/** Reads the next span while the caller takes the previous one, and never further ahead. */
export async function* exportMessages(ctx: Context, { appId, cutId }: ExportMessagesRequest) {
  if (!isUuid(cutId) || !isUuid(appId)) return failNotFound('export', cutId);
  yield* prefetch(responses(ctx, appId, cutId));
}

async function* responses(ctx: Context, appId: string, cutId: string) {
  for await (const chunk of readCut(ctx, { appId, cutId })) {
    for (let pending of spansOf(chunk, POSITIONS_PER_READ)) {
      while (pending.length > 0) {
        const spans = pending;
        const { exported, rest } = await ctx.shares.runBackground(appId, () => readSpans(ctx, appId, spans));
        if (exported.length > 0) yield { spans: exported };
        pending = rest;
      }
    }
  }
}
