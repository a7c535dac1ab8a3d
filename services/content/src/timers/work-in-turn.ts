import { NIL_UUID } from '@parley/kit/nil-uuid';
/** The next applications after `after` by id get `share` rows each, as far as `limit` goes. */
export type Turn = { after: string; share: number; limit: number };

export type WorkInTurnOptions<Row> = {
  list(turn: Turn): Promise<Row[]>;
  /** False: the row could not be done now, and is not listed again before some time has passed. */
  work(rows: Row[]): Promise<boolean[]>;
  signal: AbortSignal | undefined;
};

const BATCH = 100;
/** Rows of one application in a batch. */
const SHARE_PER_APP = 20;

/** Works rows off, round-robin by application, until nothing could be done in a round of all applications. */
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
