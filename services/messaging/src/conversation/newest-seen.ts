import { noBits, withBit } from '@parley/domain/bits';
import type { Sql } from '@parley/kit/postgres';
import { bitmapOf, bitOf, firstPositionOf } from '../read-state/bitmap.ts';
import type { Progress } from '../read-state/progress.ts';
import { beforeRange, type Range } from '../read-state/ranges.ts';
import { newestVisible, toUnseenBitmaps, type UnseenBitmaps } from './newest-visible.ts';
import { listUnseen } from '../sql/read-state/exclusion.ts';

/** Bitmaps that the first statement reads of each user, and at most that a later one reads; each reads four times as many. */
const FIRST_BITMAPS = 4;
const MOST_BITMAPS = 256;
/** Users that one statement reads bitmaps of. */
const USERS = 50;

/** An empty user id: no user's own hidden messages count. */
export type Seer = { userId: string; hiddenUntil: number; unseen: readonly Range[] };

export function seerOf({ row, unseen }: Pick<Progress, 'row' | 'unseen'>): Seer {
  return { userId: row.user_id, hiddenUntil: row.hidden_until, unseen };
}

export type NewestQuery = {
  appId: string;
  conversationId: string;
  head: number;
  /** A position that does not count, since it is being deleted. */
  without?: number;
};

type Search = Seer & { limit: number };

/**
 * The position of the newest message that each user sees, by user id; 0: there is none. It reads bitmaps, never the messages that are
 * deleted or withheld, so 256 of these cost a row.
 */
export async function findNewestSeen(
  sql: Sql,
  query: NewestQuery,
  seers: readonly Seer[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let first = 0; first < seers.length; first += USERS) {
    let searches: Search[] = seers
      .slice(first, first + USERS)
      .map((seer) => ({ ...seer, limit: limitIn(seer, query.head) }));
    for (let size = FIRST_BITMAPS; searches.length > 0; size = Math.min(MOST_BITMAPS, size * 4))
      searches = await searchBitmaps(sql, query, { searches, size, found });
  }
  return found;
}

/** The position, or the one before the part of the history that the user is not shown. */
function limitIn({ unseen }: Seer, position: number): number {
  return Math.max(0, beforeRange(unseen, position));
}

async function searchBitmaps(
  sql: Sql,
  query: NewestQuery,
  { searches, size, found }: { searches: readonly Search[]; size: number; found: Map<string, number> },
): Promise<Search[]> {
  const { appId, conversationId, without } = query;
  // All searches go down together, and those that are left have read the same bitmaps.
  const highest = bitmapOf(Math.max(...searches.map(({ limit }) => limit)));
  const lowest = Math.max(0, highest - size + 1);
  const reads = searches.map(({ userId }) => ({ appId, conversationId, userId, lowest, highest }));
  const rows = await listUnseen(sql, reads);
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return searches.flatMap((search) => {
    const bitmaps = toUnseenBitmaps(byUser.get(search.userId) ?? []);
    if (without !== undefined) addDeleted(bitmaps, without);
    const position = newestVisible({ ...search, bitmaps, lowestKnown: lowest });
    if (position === undefined) return [{ ...search, limit: limitIn(search, firstPositionOf(lowest) - 1) }];
    found.set(search.userId, position);
    return [];
  });
}

function addDeleted(bitmaps: Map<number, UnseenBitmaps>, position: number): void {
  const known = bitmaps.get(bitmapOf(position));
  const deleted = withBit(known?.deleted ?? noBits(), bitOf(position));
  bitmaps.set(bitmapOf(position), { ...known, deleted });
}
