import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { blockOf } from './bitmap.ts';
import { type ExclusionBlock } from './exclusions.ts';
import { createProgress, type Progress, type ProgressBlock } from './progress.ts';
import type { Range } from './ranges.ts';
import {
  listProgress,
  WINDOW,
  type ProgressQuery,
  type ProgressRow,
  type Reach,
} from '../sql/reading/progress.ts';
import { resetReceipts } from '../sql/reading/receipt-reset.ts';

export type Loaded = {
  progress: Progress;
  exclusions: Map<number, ExclusionBlock>;
  displayName: string | null;
  avatarUrl: string | null;
  incarnation: number | null;
};

/** The participant, as events name who acts. */
export function actorOf({ progress, displayName, avatarUrl, incarnation }: Loaded): BasicIdentity {
  return basicIdentity({
    user_id: progress.row.user_id,
    ...{ display_name: displayName, avatar_url: avatarUrl, incarnation },
  });
}

/**
 * The progress of participants of locked conversations, one for each query, in order; undefined: never took part. Queries
 * about the same participant give the same object.
 */
export async function loadProgress(
  tx: Tx,
  queries: readonly ProgressQuery[],
  reach: Reach = 'near',
): Promise<(Loaded | undefined)[]> {
  const rows = await listPresentProgress(tx, queries, reach);
  const byItem = new Map(rows.map((row) => [row.item, row]));
  const loaded = new Map<string, Loaded>();
  return queries.map((query, index) => {
    const row = byItem.get(index);
    if (!row) return undefined;
    const key = `${row.app_id}/${row.conversation_id}/${row.user_id}`;
    const known = knownBlocks(row, query, reach);
    const result = loaded.get(key) ?? {
      progress: createProgress(row, new Map(), []),
      exclusions: new Map<number, ExclusionBlock>(),
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      incarnation: row.incarnation,
    };
    loaded.set(key, result);
    result.progress.known.push(...known);
    addBlocks(row, result);
    return result;
  });
}

/** Receipts of an incarnation that is erased are forgotten first: what is recorded is not to go with them. */
async function listPresentProgress(
  tx: Tx,
  queries: readonly ProgressQuery[],
  reach: Reach,
): Promise<ProgressRow[]> {
  const rows = await listProgress(tx, queries, reach);
  const outdated = rows.filter(
    ({ item, incarnation, participant_incarnation }) =>
      (participant_incarnation ?? 0) < (incarnation ?? 0) && !queries[item]?.is_contended,
  );
  if (outdated.length === 0) return rows;
  await resetReceipts(tx, outdated);
  return listProgress(tx, queries, reach);
}

function knownBlocks(row: ProgressRow, { position }: ProgressQuery, reach: Reach): Range[] {
  const fromRead = blockOf(row.read_until + 1);
  if (reach === 'all') return [{ first: fromRead, last: Infinity }];
  const fromDelivered = blockOf(Math.max(row.read_until, row.delivered_until) + 1);
  return [
    { first: blockOf(position), last: blockOf(position) },
    { first: fromRead, last: fromRead + WINDOW - 1 },
    { first: fromDelivered, last: fromDelivered + WINDOW - 1 },
  ];
}

function addBlocks(row: ProgressRow, { progress, exclusions }: Loaded): void {
  row.blocks?.forEach((number, index) => {
    const block: Partial<ProgressBlock> = {
      read: row.read[index],
      delivered: row.delivered[index],
      hidden: row.hidden[index],
      contrary: row.contrary[index],
    };
    progress.blocks.set(number, block as ProgressBlock);
  });
  row.exclusion_blocks?.forEach((number, index) => {
    const block: Partial<ExclusionBlock> = { low: row.low[index], deleted: row.deleted[index] };
    exclusions.set(number, block as ExclusionBlock);
  });
}
