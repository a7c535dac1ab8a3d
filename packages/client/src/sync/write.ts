import { absorb } from '../records/in-memory.ts';
import type { RecordWrite } from '../records/rows.ts';
import type { Context } from './context.ts';
import { post } from './post.ts';

/** Writes to the store, then in memory and in the other tabs. The caller runs in the queue of `serial`. */
export async function writeAndShow(
  ctx: Context,
  writes: readonly RecordWrite[],
  epoch: number | undefined,
): Promise<void> {
  await ctx.store.write(writes, epoch === undefined ? {} : { epoch });
  absorb(ctx.records, writes);
  post(ctx, { kind: 'writes', writes });
  ctx.changed(writes, epoch === undefined);
}
