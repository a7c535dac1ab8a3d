import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { bitmapOf } from './bitmap.ts';
import { type ExclusionBitmaps } from './exclusions.ts';
import { createProgress, type Progress, type ProgressBitmaps } from './progress.ts';
import { merge, type Range } from './ranges.ts';
import {
  listProgress,
  BITMAPS_FROM_WATERMARK,
  type ProgressQuery,
  type ProgressRow,
  type Reach,
} from '../sql/read-state/progress.ts';
import { toReset, resetReceipts } from '../sql/read-state/receipt-reset.ts';

export type LoadedProgress = {
  progress: Progress;
  exclusions: Map<number, ExclusionBitmaps>;
  displayName: string | null;
  avatarUrl: string | null;
  incarnation: number | null;
  /** Whether another service awaits the events of the application. */
  isAwaited: boolean;
  /** The conversation's type has no receipts: a reader's own devices alone learn what they read. */
  areReceiptsOff: boolean;
};

/** The participant as the actor of an event. */
export function actorOf({ progress, displayName, avatarUrl, incarnation }: LoadedProgress): BasicIdentity {
  return basicIdentity({
    user_id: progress.row.user_id,
    display_name: displayName,
    avatar_url: avatarUrl,
    incarnation,
  });
}

/**
 * The progress of participants of locked conversations, one for each query, in order; undefined: never took part.
 * Queries about the same participant return the same object. `read`: the answer of `listProgress` to these queries, if it has been read
 * in this transaction.
 */
export async function loadProgress(
  tx: Tx,
  queries: readonly ProgressQuery[],
  reach: Reach = 'near',
  read?: ProgressRow[],
): Promise<(LoadedProgress | undefined)[]> {
  const rows = await listCurrentProgress(tx, queries, { reach, read });
  const byItem = new Map(rows.map((row) => [row.item, row]));
  const loaded = new Map<string, LoadedProgress>();
  const known = new Map<Progress, Range[]>();
  const answers = queries.map((query, index) => {
    const row = byItem.get(index);
    if (!row) return undefined;
    const key = `${row.app_id}/${row.conversation_id}/${row.user_id}`;
    const result = loaded.get(key) ?? {
      progress: createProgress(row, new Map(), []),
      exclusions: new Map<number, ExclusionBitmaps>(),
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      incarnation: row.incarnation,
      isAwaited: row.is_awaited,
      areReceiptsOff: row.are_receipts_off,
    };
    loaded.set(key, result);
    const numbers = known.get(result.progress) ?? [];
    known.set(result.progress, numbers);
    numbers.push(...knownBitmaps(row, query, reach));
    addBitmaps(row, result);
    return result;
  });
  for (const [progress, numbers] of known) progress.known = merge(numbers);
  return answers;
}

/** Resets receipts of an erased incarnation first, so that new ones are not erased with them. */
async function listCurrentProgress(
  tx: Tx,
  queries: readonly ProgressQuery[],
  { reach, read }: { reach: Reach; read: ProgressRow[] | undefined },
): Promise<ProgressRow[]> {
  const rows = read ?? (await listProgress(tx, queries, reach));
  const outdated = rows.filter(
    ({ item, incarnation, participant_incarnation }) =>
      (participant_incarnation ?? 0) < (incarnation ?? 0) && !queries[item]?.isContended,
  );
  if (outdated.length === 0) return rows;
  await resetReceipts(tx, outdated.map(toReset));
  return listProgress(tx, queries, reach);
}

function knownBitmaps(row: ProgressRow, { position }: ProgressQuery, reach: Reach): Range[] {
  const fromRead = bitmapOf(row.read_until + 1);
  if (reach === 'all') return [{ first: fromRead, last: Infinity }];
  const fromDelivered = bitmapOf(Math.max(row.read_until, row.delivered_until) + 1);
  return [
    { first: bitmapOf(position), last: bitmapOf(position) },
    { first: fromRead, last: fromRead + BITMAPS_FROM_WATERMARK - 1 },
    { first: fromDelivered, last: fromDelivered + BITMAPS_FROM_WATERMARK - 1 },
  ];
}

function addBitmaps(row: ProgressRow, { progress, exclusions }: LoadedProgress): void {
  row.blocks?.forEach((number, index) => {
    const bits: Partial<ProgressBitmaps> = {
      read: row.read[index],
      delivered: row.delivered[index],
      hidden: row.hidden[index],
      contrary: row.contrary[index],
    };
    progress.bitmaps.set(number, bits as ProgressBitmaps);
  });
  row.exclusion_blocks?.forEach((number, index) => {
    const bits: Partial<ExclusionBitmaps> = { low: row.low[index], deleted: row.deleted[index] };
    exclusions.set(number, bits as ExclusionBitmaps);
  });
}
