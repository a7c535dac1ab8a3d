import { stepsApart } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { purgeBlobs } from '../export/purge-blobs.ts';
import { deleteExpiredExports } from '../sql/export.ts';

/** Deletes expired exports with their blobs. docs/protocol/exports.md#status-of-an-export */
export async function purgeExports(ctx: Context): Promise<void> {
  await stepsApart([() => deleteExpiredExports(ctx.db, ctx.clock.now()), () => purgeBlobs(ctx)]);
}
