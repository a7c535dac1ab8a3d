import { failNotFound } from '@parley/domain/problems';
import type { Context } from '../../context.ts';
import { findCutChunk, type CutChunk, type CutRef } from '../../sql/transfer/export-cut.ts';

/** The chunks of a cut, in order. Problem: not_found. */
export async function* readCut({ db, shares }: Context, cut: CutRef): AsyncGenerator<CutChunk> {
  for (let chunk = 0; ; chunk++) {
    const found = await shares.runBackground(cut.appId, () => findCutChunk(db, cut, chunk));
    if (!found && chunk === 0) return failNotFound('export', cut.cutId, { message: 'There is no such cut.' });
    if (!found) return;
    yield found;
  }
}
