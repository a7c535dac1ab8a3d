import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Turn } from '../sql/turn.ts';

export type WorkInTurnOptions<Row> = {
  list(turn: Turn): Promise<Row[]>;
  /** Works at rows; resolves, for each row, with whether it was done. A row that failed must not be listed again for some time. */
  work(rows: Row[]): Promise<boolean[]>;
  signal: AbortSignal | undefined;
};

const BATCH = 100;
/** Rows of one application in a batch. */
const SHARE_PER_APP = 20;

/** Works rows off, in turn by application, until a round of all applications has done none. */
export async function workInTurn<Row extends { app_id: string }>(
  options: WorkInTurnOptions<Row>,
): Promise<void> {
  const { list, work, signal } = options;
  let after = NIL_UUID;
  let hasProgress = false;
  while (!signal?.aborted) {
    const rows = await list({ after, share: SHARE_PER_APP, limit: BATCH });
    const done = await work(rows);
    hasProgress ||= done.some(Boolean);
    const last = rows.at(-1);
    if (last && rows.length === BATCH) {
      after = last.app_id;
      continue;
    }
    if (!hasProgress) return;
    after = NIL_UUID;
    hasProgress = false;
  }
}
