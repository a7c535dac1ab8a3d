import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { ExportMessagesRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { readCut } from '../exporting/cut.ts';
import { readSpans } from '../exporting/read-spans.ts';
import { splitSpans } from '../exporting/split-spans.ts';
import { stretchesOf } from '../exporting/stretches.ts';

/** Positions of one read: milliseconds, and a few megabytes at most for usual messages. */
const READ = 1000;

/** The next read is under way while the reader takes what the one before has given, never more. */
export async function* exportMessages(ctx: Context, { appId, cutId }: ExportMessagesRequest) {
  if (!isUuid(cutId) || !isUuid(appId)) return fail('not_found');
  for await (const chunk of readCut(ctx, { app_id: appId, cut_id: cutId })) {
    let next: ReturnType<typeof readSpans> | undefined;
    for (const stretches of stretchesOf(chunk, READ)) {
      const current = next;
      next = readSpans(ctx, appId, stretches);
      // It may fail while nobody waits for it yet, or for a reader that has gone.
      next.catch(() => undefined);
      if (current) yield* splitSpans(await current);
    }
    if (next) yield* splitSpans(await next);
  }
}
